"""Confidence intervals for mean scores, differences and ratios, by formula and by bootstrap.

Groups of items are resampled as units (percentile bootstrap, Efron 1979). If units have only a few
distinct values, a resample is one draw from a multinomial, whose cost does not depend on n. Both
ways draw from the same distribution.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .binomial import Floats, wilson_interval
from .groups import group_numbers

MIN_GROUPS = 10  # fewer groups give no reliable estimate of their variance
ROUNDS = 10_000
BLOCK = 2**22  # numbers drawn at a time
INFINITE_RATIO = 1e100  # represents an unbounded ratio
MAX_KINDS = 256  # with more, drawing the units one by one is faster
MANY_UNITS = 50_000  # from here on it is not, unless most units differ from all others


def mean_interval(
    scores: ArrayLike, groups: Sequence[str | None], confidence: float = 0.95
) -> tuple[float, float]:
    """Return an interval for the mean of grouped scores in [0, 1].

    Wilson's interval with the effective number of items: the number for which a proportion would
    have the variance observed between groups (Korn and Graubard 1998). Without groups and ties it
    equals Wilson's interval.
    """
    x = np.asarray(scores, np.float64)
    mean, n = float(x.mean()), x.size
    sums = np.bincount(group_numbers(groups), x - mean)
    has_groups = sums.size < n  # at least one group has several items
    variance = float(np.square(sums).sum()) / n**2
    if has_groups and sums.size > 1:
        variance *= sums.size / (sums.size - 1)
    effective = mean * (1 - mean) / variance if variance > 1e-12 else np.inf
    if sums.size >= MIN_GROUPS and 0 < mean < 1 and effective == np.inf:
        return mean, mean  # fixed by construction, e.g. mirrored pairs
    # few groups, or scores without variance: count at most one item per group
    if sums.size < MIN_GROUPS or effective == np.inf:
        effective = min(effective, sums.size)
    low, high = wilson_interval(mean * effective, effective, confidence)
    return float(low), float(high)


def bootstrap_mean(
    scores: ArrayLike,
    groups: Sequence[str | None] | None = None,
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> tuple[float, float]:
    """Bootstrap a percentile interval of a mean, resampling whole groups.

    Applied to differences of two systems it is a paired bootstrap. With fewer than ten groups a
    bootstrap varies too little, so the interval is `bounds`.
    """
    x = np.asarray(scores, np.float64)
    group_index = np.arange(x.size) if groups is None else group_numbers(groups)
    group_sizes = np.bincount(group_index).astype(np.float64)
    units: Floats = np.stack([np.bincount(group_index, x), group_sizes], axis=1)
    if len(units) < MIN_GROUPS:
        return bounds
    sums, sizes = _resample_sums(units, rounds, np.random.default_rng(seed)).T
    return _percentile_ends(sums / sizes, confidence)


def bootstrap_gap(
    scores: ArrayLike,
    in_first: ArrayLike,
    groups: Sequence[str | None] | None = None,
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> tuple[float, float]:
    """Bootstrap a percentile interval of a gap: mean of the first part minus mean of the rest.

    `in_first` marks the items of the first part. Whole groups are resampled; a group may have items
    of both parts.
    """
    x, mask = np.asarray(scores, np.float64), np.asarray(in_first, np.float64)
    group_index = np.arange(x.size) if groups is None else group_numbers(groups)
    columns = (x * mask, mask, x * (1 - mask), 1 - mask)
    group_sums = [np.bincount(group_index, column) for column in columns]
    units: Floats = np.stack(group_sums, axis=1)
    if len(units) < MIN_GROUPS:
        return -1.0, 1.0
    sums, sizes, other_sums, other_sizes = _resample_sums(
        units, rounds, np.random.default_rng(seed)
    ).T
    usable = (sizes > 0) & (other_sizes > 0)  # a resample without items of one part has no gap
    if not usable.any():
        return -1.0, 1.0
    return _percentile_ends(
        (sums[usable] / sizes[usable]) - (other_sums[usable] / other_sizes[usable]), confidence
    )


def bootstrap_ratio(
    numerators: ArrayLike,
    denominators: ArrayLike,
    groups: Sequence[str | None],
    confidence: float = 0.95,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> tuple[float | None, float | None]:
    """Bootstrap a percentile interval of a ratio of sums, resampling whole groups.

    An end is None where it is unbounded: with fewer than ten groups, or if the denominator may be 0
    or negative.
    """
    group_index = group_numbers(groups)
    columns = [
        np.bincount(group_index, np.asarray(x, np.float64)) for x in (numerators, denominators)
    ]
    units: Floats = np.stack(columns, axis=1)
    if len(units) < MIN_GROUPS:
        return None, None
    sums, divisors = _resample_sums(units, rounds, np.random.default_rng(seed)).T
    unbounded = np.where(sums > 0, INFINITE_RATIO, -INFINITE_RATIO)
    ratios = np.divide(sums, divisors, out=unbounded, where=divisors > 0)
    low, high = (
        end if abs(end) < INFINITE_RATIO / 2 else None
        for end in _percentile_ends(ratios, confidence)
    )
    return low, high


def _resample_sums(units: Floats, rounds: int, rng: np.random.Generator) -> Floats:
    """Return, for each round, the sum over as many units drawn with replacement."""
    kinds, counts = np.unique(units.round(12), axis=0, return_counts=True)
    n, totals = len(units), np.empty((rounds, units.shape[1]))
    is_discrete = len(kinds) <= (MAX_KINDS if n <= MANY_UNITS else n // 10)
    step = max(1, BLOCK // (len(kinds) if is_discrete else n))
    from ._kernels import sum_drawn_rows

    for start in range(0, rounds, step):
        size = min(step, rounds - start)
        if is_discrete:
            block = rng.multinomial(n, counts / n, size) @ kinds
        else:
            block = sum_drawn_rows(units, rng.integers(0, n, (size, n)))
        totals[start : start + size] = block
    return totals


def _percentile_ends(means: Floats, confidence: float) -> tuple[float, float]:
    low, high = np.quantile(means, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return float(low), float(high)
