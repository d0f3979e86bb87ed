"""Scores on a lattice: integer multiples of one fraction, such as 0/1 or means over three seeds.

Sums of such scores are compared as integers, because rounding of float sums would break ties.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

MAX_SCORE = 2.0**30  # sums of larger scores might not fit
MAX_DENOMINATOR = 5040  # covers means over seeds and ties among a few choices


def to_lattice(scores: NDArray[np.float64]) -> tuple[NDArray[np.int64], int] | None:
    """Return scores as integers and their common denominator; None if they are not on a lattice."""
    distinct, inverse = np.unique(scores, return_inverse=True)
    largest = float(np.abs(distinct).max(initial=0.0))
    if (
        distinct.size > MAX_DENOMINATOR
        or not 0 < largest < MAX_SCORE
        or not np.isfinite(distinct).all()
    ):
        return (np.zeros(scores.size, np.int64), 1) if largest == 0 else None
    denominator = 1
    for value in distinct:
        denominator = math.lcm(
            denominator, Fraction(float(value)).limit_denominator(MAX_DENOMINATOR).denominator
        )
        if denominator > MAX_DENOMINATOR:
            return None
    integers = np.rint(distinct * denominator)
    if np.abs(integers - distinct * denominator).max() > 1e-9 * denominator * largest:
        return None
    return integers.astype(np.int64)[inverse.ravel()], denominator
