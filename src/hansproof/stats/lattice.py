"""Scores on a lattice: whole multiples of one fraction, such as 0/1, or means of three seeds.

Sums of such scores can be compared as integers, where sums of floats would break ties.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

LARGEST = 2.0**30  # sums of larger scores might not fit
FINEST = 5040  # the largest common denominator looked for: seeds, and ties among few choices


def lattice(scores: NDArray[np.float64]) -> tuple[NDArray[np.int64], int] | None:
    """The scores as integers and what they are multiples of; None for real-valued ones."""
    distinct, place = np.unique(scores, return_inverse=True)
    largest = float(np.abs(distinct).max(initial=0.0))
    if distinct.size > FINEST or not 0 < largest < LARGEST or not np.isfinite(distinct).all():
        return (np.zeros(scores.size, np.int64), 1) if largest == 0 else None
    common = 1
    for value in distinct:
        common = math.lcm(common, Fraction(float(value)).limit_denominator(FINEST).denominator)
        if common > FINEST:
            return None
    whole = np.rint(distinct * common)
    if np.abs(whole - distinct * common).max() > 1e-9 * common * largest:
        return None
    return whole.astype(np.int64)[place.ravel()], common
