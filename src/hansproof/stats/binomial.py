"""Wilson's interval for proportions and exact binomial tests.

All functions take and return numpy arrays, so a hundred thousand cues need one call.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaln, ndtri, xlog1py, xlogy  # scipy.stats is slow to import

Floats = NDArray[np.float64]


def wilson_interval(
    hits: ArrayLike, n: ArrayLike, confidence: float = 0.95
) -> tuple[Floats, Floats]:
    """Return Wilson's score interval for a proportion (Wilson 1927); (0, 1) if n is 0."""
    k, size = np.asarray(hits, np.float64), np.asarray(n, np.float64)
    z = float(ndtri(0.5 + confidence / 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = k / size
        middle = (p + z * z / (2 * size)) / (1 + z * z / size)
        half = z / (1 + z * z / size) * np.sqrt(p * (1 - p) / size + z * z / (4 * size * size))
    # at 0 and n hits the bound is exactly 0 or 1, whatever the rounding
    low = np.where(k == 0, 0.0, np.where(size == 0, 0.0, middle - half))
    high = np.where(k == size, 1.0, np.where(size == 0, 1.0, middle + half))
    return low, high


def binomial_p(hits: ArrayLike, n: ArrayLike, chance: ArrayLike) -> Floats:
    """Return the exact two-sided p: the probability of all outcomes no likelier than the observed.

    The same sum as R's binom.test and scipy's binomtest, vectorized.
    """
    k, size, p = np.broadcast_arrays(hits, n, np.asarray(chance, np.float64))
    rows = np.stack([k.ravel(), size.ravel(), p.ravel()])
    distinct, inverse = np.unique(rows, axis=1, return_inverse=True)
    return _minlike_p(*distinct)[inverse.ravel()].reshape(k.shape)


def _minlike_p(k: Floats, n: Floats, p: Floats) -> Floats:
    above = k > n * p  # mirrored, so that the observed outcome lies below the mean
    k, p = np.where(above, n - k, k), np.where(above, 1 - p, p)
    # equally likely outcomes count too; 1e-7 of slack, since their pmf may round differently
    threshold = binomial_pmf(k, n, p) * (1 + 1e-7)
    # above the mean the pmf decreases: bisect for the first outcome at the threshold
    low, high = np.ceil(n * p), n + 1
    while np.any(low < high):
        middle = np.floor((low + high) / 2)
        is_below = binomial_pmf(middle, n, p) <= threshold
        low, high = np.where(is_below, low, middle + 1), np.where(is_below, middle, high)
    total = binomial_sf(n - k, n, 1 - p) + binomial_sf(low, n, p)
    return np.where(k == n * p, 1.0, np.minimum(total, 1.0))


def binomial_pmf(hits: ArrayLike, n: ArrayLike, chance: ArrayLike) -> Floats:
    """Return the probability of exactly that many successes."""
    k, size, p = (np.asarray(values, np.float64) for values in (hits, n, chance))
    inside = np.minimum(k, size)
    log = -np.log1p(size) - betaln(size - inside + 1, inside + 1)
    return np.where(k > size, 0.0, np.exp(log + xlogy(inside, p) + xlog1py(size - inside, -p)))


def binomial_sf(hits: ArrayLike, n: ArrayLike, chance: ArrayLike) -> Floats:
    """Return the probability of at least that many successes: the exact one-sided p."""
    k, size, p = (np.asarray(values, np.float64) for values in (hits, n, chance))
    inside = np.clip(k, 1, size)
    tail = betainc(inside, size - inside + 1, p)
    return np.where(k <= 0, 1.0, np.where(k > size, 0.0, tail))


def min_attainable_p(n: ArrayLike, chance: ArrayLike) -> Floats:
    """Return the smallest two-sided p that n trials can attain."""
    size = np.asarray(n)
    return np.minimum(binomial_p(np.zeros_like(size), size, chance), binomial_p(size, size, chance))
