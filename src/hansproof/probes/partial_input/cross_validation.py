"""A bag of words, trained on every view of every part, and on permuted answers for comparison.

For the p of an accuracy the cross-validation is repeated with answers rotated by units, each time
with one partition into folds. The accuracy itself is a mean over several partitions, which varies
less, so the p is conservative. The q is corrected for all views and parts (Westfall and Young
1993): how often the most extreme of them, relative to its own null, is as extreme as this one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...cues.permutation import rotate_answers
from ...linear.features import MAX_PAIRED_WORDS, FeatureBags
from ...linear.ranker import lane_credits
from ...models.bow import Bow
from ...stats import Floats
from ...training.leakage_groups import find_leakage_groups
from ...types import Items, View
from ...views import CHOICES, apply_view, default_views, fields_of, is_blind, parse_view, view_name
from .._power import SplitPower
from .bounds import score_bound
from .power import PowerSimulation, critical_value
from .ranker import Answers, ViewRanker
from .solved_items import Explanations, ItemExplainer
from .splits import EvaluationPart
from .view_result import ViewResult


def parse_views(names: str | Sequence[str] | None, fields: Sequence[str]) -> list[View]:
    """Parse a list of view names; without names, the default views and two controls."""
    if names is not None:
        view_names = names.split(",") if isinstance(names, str) else names
        return [parse_view(name, fields) for name in view_names]
    views = default_views(fields)
    return (
        [*views, replace(views[-1], shuffled_fields=True), View(tuple(fields))] if fields else views
    )


@dataclass(frozen=True, slots=True)
class BowResults:
    """The results of the bag of words, and what its power is computed from."""

    results: list[ViewResult]
    explanations: dict[tuple[str, str], Explanations]  # by part and view
    simulations: dict[str, PowerSimulation]  # by split, where accuracy is not fixed
    extremes: Floats  # the largest standardised accuracy of each randomisation

    def estimate_power(
        self, part: str, margin: float, level: float, seed: int
    ) -> SplitPower | None:
        """Estimate the power in a part; None if its test could not be made."""
        if part not in self.simulations or int(level * (self.extremes.size + 1)) < 1:
            return None
        threshold = critical_value(self.extremes, level)
        return self.simulations[part].estimate_power(margin, threshold, seed)


class CrossValidation:
    """A bag of words that is cross-validated on the items of a benchmark."""

    def __init__(
        self, bow: Bow, items: Items, folds: int, repeats: int, seed: int, level: float
    ) -> None:
        self.bow, self.items, self.folds, self.repeats, self.seed = bow, items, folds, repeats, seed
        self.n_full_permutations = (
            math.ceil(1 / level) - 1
        )  # permutations that can say so much, for `full`
        self.units = find_leakage_groups(items)
        self.answers: Answers = np.array([[item.answer] for item in items], np.int16)
        self.paired_words = (
            MAX_PAIRED_WORDS  # words of a field that are paired with words of the choices
        )

    def evaluate_views(
        self, parts: list[EvaluationPart], views: list[View], randomisations: int, model: str
    ) -> BowResults:
        """Evaluate every view on every part; also explain the surest items, by part and view."""
        rotated = self._rotate_answers(randomisations)
        results: list[ViewResult] = []
        nulls, explanations = [], {}
        simulations: dict[str, PowerSimulation] = {}  # by split, for the view that shows least
        fullest = max(views, key=lambda view: len(view.keep))  # what it has room for, all pair
        full_bags = self.bow.extract_bags(apply_view(fullest, self.items, self.seed))
        self.paired_words = full_bags.paired_words
        for view in views:
            bags = full_bags
            if view != fullest:
                bags = self.bow.extract_bags(
                    apply_view(view, self.items, self.seed), self.paired_words
                )
            view_units = self._view_units(view)
            for part in parts:
                result, null, explanation, ranker = self._evaluate_view(
                    view, part, bags, view_units, rotated, model
                )
                if part.protocol == "cv" and null.size > 1:
                    simulation = PowerSimulation(
                        part.split, ranker, _take_rows(rotated, part.indices), null, result.chance
                    )
                    simulations.setdefault(part.split, simulation)
                results.append(_borrow_spread(result, results))
                nulls.append(null)
                explanations[result.part_name, result.view_name] = explanation
        corrected, extremes = _correct_results(results, nulls)
        return BowResults(corrected, explanations, simulations, extremes)

    def _view_units(self, view: View) -> list[str]:
        """Return the groups that no fold may separate, with copies in this view.

        With the choices and all fields, or no field, copies are those of the items themselves.
        """
        visible_fields = {*view.keep} - {CHOICES}
        hidden_fields = {name for item in self.items for name in item.fields} - visible_fields
        if CHOICES in view.keep and not (visible_fields and hidden_fields):
            return self.units
        shown_view = replace(view, side_by_side=True, shuffled_fields=False)
        return find_leakage_groups(self.items, apply_view(shown_view, self.items))

    def _rotate_answers(self, randomisations: int) -> Answers:
        if not randomisations:
            return np.zeros((len(self.items), 0), np.int16)
        rotated = np.empty((len(self.items), randomisations), np.int16)
        columns = rotate_answers(self.items, self.units, randomisations, self.seed)
        for number, answers in enumerate(columns):
            rotated[:, number] = answers
        return rotated

    def _evaluate_view(
        self,
        view: View,
        part: EvaluationPart,
        bags: FeatureBags,
        view_units: list[str],
        rotated: Answers,
        model: str,
    ) -> tuple[ViewResult, Floats, Explanations, ViewRanker]:
        tested_indices = part.indices[part.is_tested]
        tested_items = tuple(self.items[index] for index in tested_indices)
        tested_units = [view_units[index] for index in tested_indices]
        limit = score_bound(view, tested_items, tested_units if part.protocol == "cv" else None)
        first = np.cumsum([0, *(len(self.items[index].choices) for index in part.indices)])
        part_bags = self._take_bags(view, part, bags)
        repeats = part.fold_tasks(view_units, self.folds, self.repeats, self.seed)
        ranker = ViewRanker(part_bags, first, repeats, self.bow.penalty)
        answers = self.answers[part.indices]
        scores = np.stack(ranker.cross_validated_scores(answers), axis=1)
        credits = lane_credits(first, scores, np.repeat(answers, scores.shape[1], axis=1))
        name = view_name(view, fields_of(self.items))
        blind = is_blind(view, fields_of(self.items))
        result = ViewResult(
            part.split, view, name, model, part.protocol, part.trained_on, tested_items,
            tested_units, credits[part.is_tested].T, _tie_rate(first, scores, part.is_tested),
            limit, blind,
        )  # fmt: skip
        explainer = ItemExplainer(ranker, part_bags, part.is_tested, scores, answers[:, 0])
        result = replace(result, surest_ids=explainer.surest_ids(result))
        explanations = explainer.explain_surest(result)
        ranker.trained_weights.clear()  # explanations alone need them, and they are large
        judged = blind and not view.shuffled_fields
        columns = rotated[:, : rotated.shape[1] if judged else self.n_full_permutations]
        result, null = _test_result(result, ranker, _take_rows(columns, part.indices))
        return result, null if judged else np.zeros(0), explanations, ranker

    def _take_bags(self, view: View, part: EvaluationPart, bags: FeatureBags) -> FeatureBags:
        """Return the features of a part, without those that are rare in its training items."""
        if not view.side_by_side:
            return bags.take_items(_choice_indices(self.items, part.indices))
        part_bags = bags.take_items(part.indices)
        if part.protocol == "train-test":
            return part_bags.drop_rare(~part.is_tested, self.bow.least)
        return part_bags


def _test_result(
    result: ViewResult, ranker: ViewRanker, rotated: Answers
) -> tuple[ViewResult, Floats]:
    """Add p and spread to a result; also return its accuracy and those under the null.

    Where nothing is tested, the result is unchanged and there are no accuracies.
    """
    if not rotated.size or result.bound.even or result.view.shuffled_fields:
        return result, np.zeros(0)
    null_accuracies = ranker.null_accuracies(rotated, f"{result.part_name}, {result.view_name}")
    null = np.concatenate(([result.accuracy], null_accuracies))
    p, spread = float((null >= null[0] - 1e-9).mean()), float(null_accuracies.std())
    return replace(result, p=p, p_floor=1 / null.size, spread=spread), null


def _borrow_spread(result: ViewResult, results: list[ViewResult]) -> ViewResult:
    """Return a control with the spread of the full input: it has as many features."""
    if not result.view.shuffled_fields:
        return result
    spread = [o.spread for o in results if o.part_name == result.part_name and not o.is_blind]
    return replace(result, spread=max(spread, default=0.0))


def _take_rows(answers: Answers, indices: NDArray[np.int64]) -> Answers:
    """Return the answers of some items; without a copy if these are all items, in their order."""
    if np.array_equal(indices, np.arange(len(answers))):
        return answers
    return answers[indices]


def _choice_indices(items: Items, indices: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the indices of these items' choices among all choices."""
    ends = np.cumsum([len(item.choices) for item in items])
    spans = (np.arange(ends[index] - len(items[index].choices), ends[index]) for index in indices)
    return np.concatenate([*spans])


def _tie_rate(
    first: NDArray[np.int64], scores: NDArray[np.float32], is_tested: NDArray[np.bool_]
) -> float:
    """Return the share of answers in which several choices have the highest score."""
    best = np.maximum.reduceat(scores, first[:-1])
    ahead = np.add.reduceat(scores == np.repeat(best, np.diff(first), axis=0), first[:-1])
    return float((ahead[is_tested] > 1).mean())


def _correct_results(
    results: list[ViewResult], nulls: list[Floats]
) -> tuple[list[ViewResult], Floats]:
    """Add the q of each result, and return the extremes of all randomisations.

    Column 0 of a null is the real accuracy.
    """
    judged = [index for index, null in enumerate(nulls) if null.size and null.std() > 0]
    if not judged:
        return results, np.zeros(0)
    table = np.stack([nulls[index] for index in judged])
    table = (table - table.mean(axis=1, keepdims=True)) / table.std(axis=1, keepdims=True)
    extreme = table.max(axis=0)
    q = {
        index: float((extreme >= row[0] - 1e-9).mean())
        for index, row in zip(judged, table, strict=True)
    }
    corrected = [
        replace(result, q=q[index], q_floor=1 / extreme.size) if index in q else result
        for index, result in enumerate(results)
    ]
    return corrected, np.asarray(extreme[1:])
