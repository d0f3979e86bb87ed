"""The p of cross-validated predictions, without training anything again.

The model of a fold saw none of its answers. So, given those of all other folds, its accuracy is
tested exactly: how often would it be as high if the answers of every leakage group were rotated by
a random number of places? The folds depend on each other, as most training items are shared, in a
way that nobody knows. So a run's p is the smallest of its folds times their number (Bonferroni),
which holds however they depend on each other. Twice their mean would hold as well, but sees little:
one fold of five with p = .2 is enough for it to find nothing.

Runs of one system answer the same items, and their p-values are much alike. There, twice the mean
is the better choice (Rüschendorf 1982; Vovk and Wang 2020).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...cues.permutation import rotate_credits
from ...inputs.systems import System
from ...scoring import expected_credit
from ...stats import binomial_power, drawn_sum_p
from ...types import Items, Predictions


@dataclass(frozen=True, slots=True)
class FoldTest:
    """The p of predictions in folds, and the number of units in each fold of the first run."""

    p: float
    sizes: tuple[int, ...]


def compare_folds(system: System, units: Sequence[str]) -> FoldTest | None:
    """Test each fold of a system against guessing; None if its folds are not known.

    Folds that separate items of a unit are no better than unknown ones: a model saw copies of what
    it answered.
    """
    folds_by_run = [[run.folds.get(item.id) for item in system.items] for run in system.runs]
    for folds in folds_by_run:
        if None in folds or len({*zip(units, folds, strict=True)}) > len({*units}):
            return None
    run_p = [
        _run_p(run, system.items, units, folds)
        for run, folds in zip(system.runs, folds_by_run, strict=True)
    ]
    p = run_p[0] if len(run_p) == 1 else min(1.0, 2 * float(np.mean(run_p)))
    fold_of_unit = dict(zip(units, folds_by_run[0], strict=True))
    return FoldTest(p, tuple(Counter(fold_of_unit.values()).values()))


def _run_p(
    run: Predictions, items: Items, units: Sequence[str], folds: Sequence[int | None]
) -> float:
    """Return the smallest p of a run's folds, corrected for their number."""
    fold_p = []
    for fold in {*folds}:
        indices = [index for index, number in enumerate(folds) if number == fold]
        fold_items = tuple(items[index] for index in indices)
        rotated = rotate_credits(
            fold_items,
            [units[index] for index in indices],
            [_choice_credits(run, item.id, len(item.choices)) for item in fold_items],
        )
        fold_p.append(drawn_sum_p(rotated))
    return min(1.0, len(fold_p) * min(fold_p))


def _choice_credits(run: Predictions, id: str, n_choices: int) -> list[float]:
    """Return what a run would earn for an item, for each choice that could be its answer."""
    row = run.scores.get(id)
    if row is None:
        return [0.0] * n_choices
    return [expected_credit(row, answer) for answer in range(n_choices)]


def fold_power(sizes: Sequence[int], chance: float, margin: float, level: float) -> float:
    """Return the probability of seeing a gain of `margin` in a run with folds of these sizes.

    The test is one-sided: the level is doubled for the power of a two-sided one.
    """
    per_fold = binomial_power(np.array(sizes), chance, margin, 2 * level / len(sizes))
    return float(1 - np.prod(1 - per_fold))
