"""Tests a sum of weighted hits: each item earns its own weight, or nothing.

A rule that picks one of four choices earns 1 if it is right, one that picks two of them 1/2. The
number of hits alone would not tell a rule that is right with few picks from one with many.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from .binomial import Floats, binomial_pmf
from .lattice import to_lattice

MAX_SUMS = 1 << 16  # possible sums that are listed
NEGLIGIBLE = 1e-18  # a probability: smaller ones are left out of p


def weighted_hits_p(is_hit: NDArray[np.bool_], weights: Floats, chances: Floats) -> float:
    """Return the two-sided p of the sum of the weights of all hits: twice the smaller tail.

    `chances` are the probabilities of a hit under the null hypothesis. The p is exact if the
    possible sums can be listed, and that of a normal distribution otherwise.
    """
    lattice = to_lattice(weights)
    if lattice is not None and int(lattice[0].sum()) < MAX_SUMS:
        return _exact_p(is_hit, lattice[0], chances)
    distance = float((weights * (is_hit - chances)).sum())
    variance = float((weights**2 * chances * (1 - chances)).sum())
    return 1.0 if variance <= 0 else float(2 * ndtr(-abs(distance) / math.sqrt(variance)))


def _exact_p(is_hit: NDArray[np.bool_], weights: NDArray[np.int64], chances: Floats) -> float:
    pmf = np.ones(1)
    rows = np.stack([weights.astype(np.float64), chances])
    for (weight, chance), n in zip(*_count_columns(rows), strict=True):
        pmf = _add_hits(pmf, int(weight), chance, n)
    observed = int(weights[is_hit].sum())
    smaller_tail = min(pmf[: observed + 1].sum(), pmf[observed:].sum())
    return float(min(1.0, 2 * smaller_tail))


def _count_columns(rows: Floats) -> tuple[list[list[float]], list[int]]:
    columns, counts = np.unique(rows, axis=1, return_counts=True)
    return columns.T.tolist(), counts.tolist()


def _add_hits(pmf: Floats, weight: int, chance: float, n: int) -> Floats:
    """Return the distribution of a sum after adding `n` items of the same weight and chance."""
    total = np.zeros(pmf.size + n * weight)
    for k, probability in enumerate(binomial_pmf(np.arange(n + 1.0), n, chance)):
        if probability > NEGLIGIBLE:
            total[k * weight : k * weight + pmf.size] += probability * pmf
    return total
