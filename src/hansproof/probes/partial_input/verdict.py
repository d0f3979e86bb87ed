"""The verdict, the sentences and the notes on views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..._infra.join_names import join_names
from ..._infra.plural import plural
from ...results import name_items
from ...stats import ENOUGH_POWER, bootstrap_gap
from ...types import POOLED, Cell, Verdict
from ...views import CHOICES, fields_of, view_name
from .._power import SplitPower, decide_absence
from .fold_tests import fold_power
from .splits import EvaluationPart
from .view_result import BOW, ViewResult

SOLVABLE_NOTE = (
    "That items can be answered without the question does not show that a given model answers "
    "them this way."
)
FLOOR_NOTE = (
    "A bag of words is a weak model; stronger ones may answer more items without the question. "
    "Add them with `hansproof audit --blind hf:NAME`, or give their answers with --predictions."
)
FOLDS_NOTE = (
    "Predictions in folds are tested fold by fold, since the model of a fold saw none of its "
    "answers: exactly, with the answers of its items rotated. Their p is the smallest of the folds "
    "times the number of folds, which holds however the folds depend on each other."
)
SEVERAL_RUNS_NOTE = "Of several runs in folds, p is twice the mean, which holds as generally."
ALL_ITEMS_NOTE = (
    "Predictions of models that were not trained on the items they answered are compared with "
    "guessing on all items at once."
)
UNKNOWN_FOLDS_NOTE = (
    "Cross-validated predictions that do not say in which fold each item was, or whose folds "
    "separate items that belong together, are listed without a verdict: their items share training "
    "data, so a p-value that treats them as independent would be too small."
)


def decide_verdict(
    results: Sequence[ViewResult], power: SplitPower | None, level: float, margin: float
) -> Verdict:
    """Return caution if a blind view is above chance, exposed if it gains at least `margin`."""
    above = [o for o in results if o.is_above_chance(level)]
    if any(o.accuracy - o.chance >= margin for o in above):
        return "exposed"
    if above:
        return "caution"
    return decide_absence(power) if power else "skipped"


def find_best(results: Sequence[ViewResult], level: float) -> ViewResult | None:
    """Return the best of the blind views that are answered significantly above chance."""
    return max((o for o in results if o.is_above_chance(level)), key=_summary_rank, default=None)


def write_headline(best: ViewResult) -> str:
    """Describe the best blind view in plain words."""
    return (
        f"{_model_phrase(best)} that sees only {_view_phrase(best)} answers {best.accuracy:.1%} of "
        f"{_part_phrase(best)} (chance {best.chance:.1%})."
    )


def write_sentences(
    results: Sequence[ViewResult], best: ViewResult, full: ViewResult | None
) -> list[str]:
    """Describe the best blind view, how other splits compare, and what the question adds."""
    sentences = [
        write_headline(best),
        _summarize_others(best, results),
        _summarize_hans(best, full),
    ]
    return [sentence for sentence in sentences if sentence]


def _summary_rank(result: ViewResult) -> tuple[int, float]:
    """Return a sort key: the less is shown the better, then the lower end of the gain."""
    sure = (result.accuracy_interval()[0] - result.chance) / (1 - result.chance)
    return -len(result.view.keep), sure


def write_notes(results: Sequence[ViewResult], parts: Sequence[EvaluationPart]) -> list[str]:
    """Return notes on determined, impossible and unjudged results, and on the others."""
    views = dict.fromkeys(o.view_name for o in results if o.is_fixed)
    fixed = [[o for o in results if o.is_fixed and o.view_name == name] for name in views]
    small_splits = [part.split for part in parts if part.protocol == "cv" and part.indices.size < 2]
    return [
        *map(_fixed_note, fixed),
        *map(_impossible_note, [o for o in results if o.is_impossible and o.model != BOW]),
        *_test_notes([o for o in results if o.model != BOW]),
        *map(_below_note, [o for o in results if _is_below(o)]),
        *(f"{name}: too few items to train on." for name in small_splits),
        SOLVABLE_NOTE,
        FLOOR_NOTE,
    ]


def few_items_notes(given_results: Sequence[ViewResult], level: float, margin: float) -> list[str]:
    """Name the models that answered too few items without the question for a verdict."""
    return [
        f"{o.part_name}, {o.view_name} ({o.model}): {plural(len(o.items), 'item')}, too few for a "
        "verdict."
        for o in given_results
        if o.q is not None and not o.is_above_chance(level)
        and fold_power(o.fold_sizes or (len({*o.units}),), o.chance, margin, level) < ENOUGH_POWER
    ]  # fmt: skip


def _impossible_note(result: ViewResult) -> str:
    """Describe predictions that cannot come from the view that they name."""
    return (
        f"{result.part_name}, {result.view_name} ({result.model}): {result.accuracy:.1%} is "
        f"impossible with this view, on which every model scores chance ({result.chance:.1%}). "
        "The model saw more than the view shows, or breaks ties by position."
    )


def _test_notes(given_results: Sequence[ViewResult]) -> list[str]:
    """Say how given predictions were tested, and why some were not."""
    tested = [o for o in given_results if o.q is not None]
    in_folds = [o for o in tested if o.fold_sizes]
    conditions = {
        FOLDS_NOTE: bool(in_folds),
        SEVERAL_RUNS_NOTE: any(len(o.credits) > 1 for o in in_folds),
        ALL_ITEMS_NOTE: len(tested) > len(in_folds),
        UNKNOWN_FOLDS_NOTE: any(o.protocol == "cv" and not o.fold_sizes for o in given_results),
    }
    return [note for note, applies in conditions.items() if applies]


def _is_below(result: ViewResult) -> bool:
    below = result.accuracy_interval()[1] < result.chance - 1e-9
    return result.is_blind and below and not result.is_fixed and not result.is_impossible


def _below_note(result: ViewResult) -> str:
    """Describe a result below chance: the training items teach the wrong answers."""
    return (
        f"{result.part_name}, {result.view_name} ({result.model}): {result.accuracy:.1%} is below "
        f"chance ({result.chance:.1%}). Choices that are right in the training items tend to be "
        "wrong in these, as in mirrored pairs; a model could exploit that too."
    )


def _fixed_note(results: list[ViewResult]) -> str:
    """Explain why every model scores the same on a view."""
    parts = {o.split: o for o in reversed(results)}.values()  # cross-validated or not: the same
    if CHOICES not in results[0].view.keep:
        name = results[0].view_name
        return f"{name}: this view shows no choices, so its accuracy is chance by definition."
    listing = ", ".join(
        f"{o.split} ({o.bound.n_copies:,} of {plural(len(o.items), 'item')}, "
        f"{plural(o.bound.n_inputs, 'input')})"
        for o in parts
    )
    return (
        f"{results[0].view_name}: every model scores exactly {results[0].chance:.3f} by design in "
        f"{listing}: each input occurs equally often with each answer (label-inverted "
        "duplicates), so this is not a finding."
    )


def split_differences(results: Sequence[ViewResult], seed: int) -> tuple[tuple[Cell, ...], ...]:
    """Return the differences in accuracy between the first split and each other, by view."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        comparable = [o for o in results if _is_comparable(result, o)]
        if comparable and comparable[0] is result and result.is_blind and not result.is_fixed:
            for other in comparable[1:]:
                scores = np.concatenate([result.scores, other.scores])
                mark = np.arange(scores.size) < len(result.items)
                low, high = bootstrap_gap(scores, mark, [*result.units, *other.units], seed=seed)
                difference = result.accuracy - other.accuracy
                prefix = (result.view_name, result.model, result.split, other.split)
                rows.append((*prefix, difference, low, high))
    return tuple(rows)


def _is_comparable(first: ViewResult, second: ViewResult) -> bool:
    same_model = (first.view_name, first.model) == (second.view_name, second.model)
    return (
        same_model
        and second.protocol == "cv" == first.protocol
        and second.split != POOLED != first.split
    )


def summarize_nothing(results: Sequence[ViewResult]) -> str:
    """Describe results of which none is above chance."""
    judged = [o for o in results if o.q is not None]
    if not judged:
        if not any(o.is_blind for o in results):
            return "Skipped: the items have only choices, so there is no question to hide."
        if all(o.is_fixed for o in results if o.is_blind and not o.view.shuffled_fields):
            return "Without the question, every model scores chance by design of the items."
        return "There are too few items to train on."
    pooled = next((o for o in judged if o.split == POOLED), judged[0])
    return f"{write_headline(pooled).removesuffix('.')}, which is not significant."


def _model_phrase(result: ViewResult) -> str:
    return "A bag-of-words model" if result.model == BOW else f"The model {result.model}"


def _view_phrase(result: ViewResult) -> str:
    fields = fields_of(result.items)
    if result.view.shuffled_fields:
        name = view_name(replace(result.view, shuffled_fields=False, side_by_side=True), fields)
        return f"{name} with fields taken from other items"
    return f"the {' and '.join(result.view.keep)}" + (
        "" if result.view.side_by_side else ", one at a time,"
    )


def _part_phrase(result: ViewResult) -> str:
    if result.protocol == "train-test":
        return f"{name_items(result.split)} after training on {result.trained_on}"
    return name_items(result.split)


def _summarize_others(best: ViewResult, results: Sequence[ViewResult]) -> str:
    """Describe the same model and view on the other splits."""
    other_results = [
        o
        for o in results
        if (o.model, o.view_name) == (best.model, best.view_name) and o is not best
        and POOLED not in (o.split, best.split)
    ]  # fmt: skip
    clauses = [
        f"{o.accuracy:.1%} of {_part_phrase(o)}"
        + (" (cross-validated)" if o.protocol == "cv" != best.protocol else "")
        for o in other_results
    ]
    return f"Other results: {join_names(clauses)}." if clauses else ""


def _summarize_hans(best: ViewResult, full: ViewResult | None) -> str:
    score, low, high = best.hans
    if score is None or full is None:
        return ""
    hidden = "the question" if best.view.keep == (CHOICES,) else "the rest"
    if score >= 1:
        return (
            f"Hiding {hidden} costs it nothing: with the full input it answers {full.accuracy:.1%}."
        )
    interval = "" if low is None or high is None else f" ({low:.0%} to {high:.0%})"
    return (
        f"With the full input it answers {full.accuracy:.1%}; without {hidden} it keeps "
        f"{score:.0%}{interval} of its gain over guessing."
    )
