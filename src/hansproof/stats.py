"""Intervals, exact tests and corrections: the arithmetic behind every claim.

Everything takes and returns numpy arrays, so a hundred thousand cues cost one call.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaln, ndtri, xlog1py, xlogy  # scipy.stats is slow to import

Floats = NDArray[np.float64]

MANY_GROUPS = 10  # fewer say too little about how much groups vary


def wilson(hits: ArrayLike, n: ArrayLike, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's score interval for a proportion (Wilson 1927). With n = 0: (0, 1)."""
    k, size = np.asarray(hits, np.float64), np.asarray(n, np.float64)
    z = float(ndtri(0.5 + confidence / 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = k / size
        middle = (p + z * z / (2 * size)) / (1 + z * z / size)
        half = z / (1 + z * z / size) * np.sqrt(p * (1 - p) / size + z * z / (4 * size * size))
    # at the ends the bound is the end itself, whatever the rounding of the two terms
    low = np.where(k == 0, 0.0, np.where(size == 0, 0.0, middle - half))
    high = np.where(k == size, 1.0, np.where(size == 0, 1.0, middle + half))
    return low, high


def binomial_p(hits: ArrayLike, n: ArrayLike, chance: ArrayLike) -> Floats:
    """Exact two-sided binomial p: the probability of all outcomes no likelier than the one seen.

    The same sum as R's binom.test and scipy's binomtest, for many cues at once.
    """
    k, size, p = np.broadcast_arrays(hits, n, np.asarray(chance, np.float64))
    rows = np.stack([k.ravel(), size.ravel(), p.ravel()])
    distinct, back = np.unique(rows, axis=1, return_inverse=True)
    return _minlike(*distinct)[back.ravel()].reshape(k.shape)


def _minlike(k: Floats, n: Floats, p: Floats) -> Floats:
    above = k > n * p  # mirrored, so that what was seen lies below the mean
    k, p = np.where(above, n - k, k), np.where(above, 1 - p, p)
    # outcomes as likely as the one seen count too; 1e-7 of slack, since their pmf may round apart
    bar = _pmf(k, n, p) * (1 + 1e-7)
    # above the mean the pmf only falls: bisect for the first outcome at the bar
    low, high = np.ceil(n * p), n + 1
    while np.any(low < high):
        middle = np.floor((low + high) / 2)
        fell = _pmf(middle, n, p) <= bar
        low, high = np.where(fell, low, middle + 1), np.where(fell, middle, high)
    both = _at_least(n - k, n, 1 - p) + _at_least(low, n, p)
    return np.where(k == n * p, 1.0, np.minimum(both, 1.0))


def _pmf(k: Floats, n: Floats, p: Floats) -> Floats:
    inside = np.minimum(k, n)
    log = -np.log1p(n) - betaln(n - inside + 1, inside + 1)
    return np.where(k > n, 0.0, np.exp(log + xlogy(inside, p) + xlog1py(n - inside, -p)))


def _at_least(k: Floats, n: Floats, p: Floats) -> Floats:
    """The probability of k or more successes."""
    inside = np.clip(k, 1, n)
    return np.where(k <= 0, 1.0, np.where(k > n, 0.0, betainc(inside, n - inside + 1, p)))


def least_p(n: ArrayLike, chance: ArrayLike) -> Floats:
    """The smallest two-sided p that n trials can reach at all."""
    size = np.asarray(n)
    return np.minimum(binomial_p(np.zeros_like(size), size, chance), binomial_p(size, size, chance))


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjusted p-values (q) under Benjamini and Hochberg's 1995 false-discovery control."""
    values = np.asarray(p, np.float64)
    order = np.argsort(values)[::-1]
    scaled = values[order] * values.size / np.arange(values.size, 0, -1)
    q = np.empty_like(values)
    q[order] = np.minimum.accumulate(np.minimum(scaled, 1.0))
    return q


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


def group_numbers(groups: Sequence[str | None]) -> NDArray[np.int64]:
    """A number for each group; an item without one is a group of its own."""
    known: dict[str | int, int] = {}
    keys = (i if group is None else group for i, group in enumerate(groups))
    return np.array([known.setdefault(key, len(known)) for key in keys], np.int64)


def group_count(groups: Sequence[str | None]) -> int:
    """How many groups there are; an item without one is a group of its own."""
    return len(set(groups) - {None}) + list(groups).count(None)


def folds(groups: Sequence[str | None], k: int, seed: int) -> NDArray[np.int64]:
    """A fold for each item, groups kept together, folds of like size, by seed."""
    number = group_numbers(groups)
    order = np.random.default_rng(seed).permutation(int(number.max()) + 1)
    return order[number] % k
