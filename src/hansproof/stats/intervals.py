"""Intervals for means of scores: by formula and by bootstrap, groups of items kept whole.

Percentile bootstrap: Efron 1979. Resampling n units of which only a few kinds exist is a draw from
a multinomial, so scores on a lattice cost the same however many items there are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .binomial import Floats, wilson
from .groups import group_numbers

MANY_GROUPS = 10  # fewer say too little about how much groups vary
ROUNDS = 10_000
BLOCK = 2**22  # numbers drawn at a time


def mean_interval(
    scores: ArrayLike, groups: Sequence[str | None], confidence: float = 0.95
) -> tuple[float, float]:
    """An interval for a mean of scores in [0, 1] whose groups vary together.

    Wilson's interval with the effective number of items: the one that gives a proportion the
    variance seen between groups (Korn and Graubard 1998). Without groups and ties it is Wilson's.
    """
    x = np.asarray(scores, np.float64)
    mean, n = float(x.mean()), x.size
    sums = np.bincount(group_numbers(groups), x - mean)
    several = sums.size < n  # some group has more than one item
    variance = float(np.square(sums).sum()) / n**2
    if several and sums.size > 1:
        variance *= sums.size / (sums.size - 1)
    effective = mean * (1 - mean) / variance if variance > 1e-12 else np.inf
    if sums.size >= MANY_GROUPS and 0 < mean < 1 and effective == np.inf:
        return mean, mean  # fixed by construction, e.g. mirrored pairs
    # few groups, or all right or wrong, show too little variance: trust no more than one a group
    if sums.size < MANY_GROUPS or effective == np.inf:
        effective = min(effective, sums.size)
    low, high = wilson(mean * effective, effective, confidence)
    return float(low), float(high)


def bootstrap(
    scores: ArrayLike,
    groups: Sequence[str | None] | None = None,
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile interval of a mean, whole groups resampled; of differences, a paired bootstrap."""
    return _ends(_means(scores, groups, rounds, np.random.default_rng(seed)), confidence)


def bootstrap_difference(
    first: ArrayLike,
    second: ArrayLike,
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile interval of a difference of means between two sets of items."""
    rng = np.random.default_rng(seed)
    means = _means(first, None, rounds, rng) - _means(second, None, rounds, rng)
    return _ends(means, confidence)


def _means(
    scores: ArrayLike, groups: Sequence[str | None] | None, rounds: int, rng: np.random.Generator
) -> Floats:
    x = np.asarray(scores, np.float64)
    number = np.arange(x.size) if groups is None else group_numbers(groups)
    units = np.stack([np.bincount(number, x), np.bincount(number)], axis=1)  # sum and size
    kinds, counts = np.unique(units.round(12), axis=0, return_counts=True)
    means = np.empty(rounds)
    step = max(1, BLOCK // len(kinds))
    for start in range(0, rounds, step):
        size = min(step, rounds - start)
        drawn = rng.multinomial(len(units), counts / len(units), size) @ kinds
        means[start : start + size] = drawn[:, 0] / drawn[:, 1]
    return means


def _ends(means: Floats, confidence: float) -> tuple[float, float]:
    low, high = np.quantile(means, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return float(low), float(high)
