"""Corrections for how many tests were made."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .binomial import Floats


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjusted p-values (q) under Benjamini and Hochberg's 1995 false-discovery control."""
    values = np.asarray(p, np.float64)
    order = np.argsort(values)[::-1]
    scaled = values[order] * values.size / np.arange(values.size, 0, -1)
    q = np.empty_like(values)
    q[order] = np.minimum.accumulate(np.minimum(scaled, 1.0))
    return q


def holm(p: ArrayLike) -> Floats:
    """Adjusted p-values under Holm's 1979 step-down control of any false alarm at all.

    The k-th smallest of m is multiplied by m - k + 1, and none may fall below one before it.
    """
    values = np.asarray(p, np.float64)
    order = np.argsort(values)
    scaled = values[order] * np.arange(values.size, 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return adjusted
