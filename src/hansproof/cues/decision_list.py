"""Decision lists: how many items can be answered by cues alone?

Rules are cross-validated: learnt on all folds but one and scored on that one, with leakage groups
kept together; an item that no rule covers scores 1/m. Scores of different folds depend on each
other through shared rules, so both the interval and the p come from the same procedure on rotated
answers (see `permutation`).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .._infra.progress import track
from ..stats import assign_folds, group_count, mean_interval
from ..text.detect_script import choose_tokenizer
from ..text.tokenizers import AUTO
from ..training.leakage_groups import find_leakage_groups
from ..types import Estimate, Items
from .counts import ChoiceLayout, build_layout, count_cues
from .incidence import Incidence, build_incidence, sort_rows_by
from .permutation import rotate_answers
from .rule_kernel import MIN_SUPPORT, count_by_fold, score_items

__all__ = ["CUE_CEILING", "DEFAULT_RANDOMISATIONS", "MIN_SUPPORT", "REPEATS", "CueCeiling",
           "blind_credit", "build_rules", "cross_validate_rules"]  # fmt: skip

REPEATS = 3  # of the cross-validation, with new folds, as the choice of folds adds noise
DEFAULT_RANDOMISATIONS = 99  # each is a complete repeated cross-validation

CUE_CEILING = "cue_ceiling"  # the metric of a decision list's accuracy


@dataclass(frozen=True, slots=True)
class CueCeiling:
    """Cross-validated accuracy of the best word or phrase and of a decision list over all cues."""

    single: Estimate
    decision_list: Estimate
    p: float  # of the list, one-sided, by randomisation
    p_floor: float  # the smallest p that the randomisations can show


def cross_validate_rules(
    name: str,
    items: Items,
    groups: Sequence[str],
    incidence: Incidence,
    layout: ChoiceLayout,
    k: int,
    randomisations: int,
    seed: int,
) -> CueCeiling:
    """Estimate both accuracies for one split; no fold separates items of one of the `groups`."""
    rules = build_rules(groups, incidence, layout, k, seed)
    list_scores = rules.score(incidence.hit)

    def mean_under_null(answers: NDArray[np.int64]) -> float:
        return float(rules.score(incidence.choice == answers[incidence.item]).mean())

    null_answers = rotate_answers(items, groups, randomisations, seed)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # compiled code releases the lock
        means = track(
            pool.map(mean_under_null, null_answers), randomisations, f"{name}: permuted answers"
        )
        null = np.array(list(means))
    # means of the same terms may differ by rounding, which must not decide
    p = (1 + int((null >= list_scores.mean() - 1e-9).sum())) / (null.size + 1)
    single_scores = rules.score_single_cues(incidence.hit)
    return CueCeiling(
        replace(
            _accuracy_estimate(f"{name}: best word or phrase", single_scores, groups, layout, 0.0),
            split=name,
        ),
        replace(
            _accuracy_estimate(
                f"{name}: rules over words", list_scores, groups, layout, 1.96 * float(null.std())
            ),
            split=name,
            metric=CUE_CEILING,
        ),
        p,
        1 / (null.size + 1),
    )


def blind_credit(items: Items, ngram: int, folds: int, seed: int) -> NDArray[np.float64]:
    """Compute what rules over cues, learnt on the other folds, get right: a blind model.

    Returns the expected correctness of every item; 1 only if it is right in every repeat.
    """
    layout = build_layout(items)
    counts = count_cues(items, choose_tokenizer(AUTO, items), ngram, layout)
    incidence = build_incidence(counts, layout, MIN_SUPPORT)
    rules = build_rules(find_leakage_groups(items), incidence, layout, folds, seed)
    return rules.score(incidence.hit)


def build_rules(
    groups: Sequence[str], incidence: Incidence, layout: ChoiceLayout, k: int, seed: int
) -> CrossValidatedRules:
    """Prepare rules that are learnt on all folds but one, for each fold and repeat."""
    k = min(k, group_count(groups))
    fold_numbers = (
        [assign_folds(groups, k, seed + repeat) for repeat in range(REPEATS)] if k > 1 else []
    )
    return CrossValidatedRules(incidence, layout, fold_numbers)


def _accuracy_estimate(
    name: str,
    scores: NDArray[np.float64],
    groups: Sequence[str],
    layout: ChoiceLayout,
    spread: float,
) -> Estimate:
    mean = float(scores.mean())
    low, high = mean_interval(scores, groups)
    low, high = min(low, max(mean - spread, 0.0)), max(high, min(mean + spread, 1.0))
    return Estimate(name, mean, low, high, scores.size, float(layout.chance.mean()))


class CrossValidatedRules:
    """Rules learnt and scored fold by fold; only the answers change between calls."""

    def __init__(
        self, incidence: Incidence, layout: ChoiceLayout, fold_numbers: list[NDArray[np.int64]]
    ) -> None:
        self.chance, self.cue_chance = layout.chance, incidence.mean_chance(layout)
        self.folds = [folds.astype(np.int32) for folds in fold_numbers] if incidence.cues else []
        # narrow numbers: learning is bound by the memory that it reads
        cue, item = incidence.cue.astype(np.int32), incidence.item.astype(np.int32)
        order, cue_start = sort_rows_by(incidence.cue, incidence.cues)
        self.rows, self.by_cue = (cue, item, incidence.start), (order.astype(np.int32), cue_start)
        all_rows = np.ones(cue.size, np.bool_)
        self.n_by_fold = [
            count_by_fold(cue, item, all_rows, folds, int(folds.max()) + 1, incidence.cues)
            for folds in self.folds
        ]

    def score(self, hit: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the expected correctness of every item, by lists learnt on the other folds."""
        if not self.folds:
            return self.chance.copy()
        total = np.zeros_like(self.chance)
        for folds, n_by_fold in zip(self.folds, self.n_by_fold, strict=True):
            chances = (self.cue_chance, self.chance)
            total += score_items(self.rows, self.by_cue, hit, folds, n_by_fold, *chances)
        return total / len(self.folds)

    def score_single_cues(self, hit: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Do the same by the single cue that gains most over chance on the other folds."""
        if not self.folds:
            return self.chance.copy()
        total = np.zeros_like(self.chance)
        for folds, n_by_fold in zip(self.folds, self.n_by_fold, strict=True):
            total += self._score_best_cues(hit, folds, n_by_fold)
        return total / len(self.folds)

    def _score_best_cues(
        self, hit: NDArray[np.bool_], folds: NDArray[np.int32], n_by_fold: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        cue, item, _ = self.rows
        by_cue, cue_start = self.by_cue
        n_folds, chance = n_by_fold.shape[1] - 1, self.cue_chance
        hits_by_fold = count_by_fold(cue, item, hit, folds, n_folds, chance.size)
        credits = self.chance.copy()
        for held_out in range(n_folds):
            n = n_by_fold[:, -1] - n_by_fold[:, held_out]
            hits = hits_by_fold[:, -1] - hits_by_fold[:, held_out]
            tell = hits - n * chance
            eliminate = (n - hits) * chance / (1 - chance) - n * chance
            best = int(np.argmax(np.maximum(tell, eliminate)))
            rows = by_cue[cue_start[best] : cue_start[best + 1]]
            rows = rows[folds[item[rows]] == held_out]
            if tell[best] >= eliminate[best]:
                credits[item[rows]] = hit[rows]
            else:
                guess = self.chance[item[rows]] / (1 - self.chance[item[rows]])
                credits[item[rows]] = np.where(hit[rows], 0.0, guess)
        return credits
