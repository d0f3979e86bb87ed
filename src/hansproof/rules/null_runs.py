"""Repeats the whole search on permuted answers, until its p-value is clear enough.

The search stops early once permuted answers have done as well as the real ones five times (Besag
and Clifford 1991): the p-value is then far above any level of significance.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from .._infra.progress import track
from ..stats import Floats
from .confirm import HalvedSearch
from .features import FeatureBlock, Ints
from .ladder import null_credits

ENOUGH_EXCEEDED = 5
BATCH = 3  # permutations whose folds a ranker learns together
SMALLEST_P = 1e-300


@dataclass(frozen=True, slots=True)
class NullRuns:
    """Standardised statistics of all rungs and of the rules, by permutation."""

    rungs: Floats  # by permutation and rung
    rules: Floats  # by permutation
    planned: int

    @property
    def largest(self) -> Floats:
        """The largest statistic of each permutation."""
        columns = np.concatenate([self.rungs, self.rules[:, None]], axis=1)
        return np.asarray(columns.max(axis=1))


def rule_statistic(p: float) -> float:
    """Return the smallest p of the rules on the scale of standard deviations."""
    return float(-ndtri(max(p, SMALLEST_P))) if p < 1 else -np.inf


def rank_p(value: float, null: Floats, planned: int) -> float:
    """Return how often permuted answers reach a value; the real ones count as one of them.

    A search that stopped early did so because a permutation reached the value: it is counted.
    """
    reached = int((null >= value - 1e-9).sum())
    if null.size < planned and reached >= ENOUGH_EXCEEDED:
        return reached / null.size
    return (1 + reached) / (1 + null.size)


def run_null(
    blocks: Sequence[FeatureBlock],
    search: HalvedSearch,
    folds: tuple[Ints, int],
    permuted: Ints,
    spread: float,
    observed: float,
) -> NullRuns:
    """Repeat rungs and search on columns of permuted answers.

    `spread` is the standard deviation of an accuracy by chance, and `observed` the largest
    statistic of the real answers.
    """
    planned = permuted.shape[1]
    layout = search.columns.layout
    chance = float(layout.chance.mean())
    bags = [block.bags(layout) for block in blocks]
    rungs, rules = np.zeros((0, len(blocks))), np.zeros(0)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # compiled code lets threads run together
        for start in track(range(0, planned, BATCH), -(-planned // BATCH), "permuted answers"):
            answers = permuted[:, start : start + BATCH]
            lanes = answers.astype(np.int16)
            credits = [pool.submit(null_credits, bag, *folds, lanes) for bag in bags]
            p_values = [*pool.map(search.smallest_p, answers.T)]
            accuracies = np.stack([future.result() for future in credits], axis=1)
            rungs = np.concatenate([rungs, (accuracies - chance) / spread])
            rules = np.concatenate([rules, [*map(rule_statistic, p_values)]])
            runs = NullRuns(rungs, rules, planned)
            exceeded = np.flatnonzero(runs.largest >= observed - 1e-9)
            if exceeded.size >= ENOUGH_EXCEEDED:
                last = int(exceeded[ENOUGH_EXCEEDED - 1]) + 1
                return NullRuns(rungs[:last], rules[:last], planned)
    return NullRuns(rungs, rules, planned)
