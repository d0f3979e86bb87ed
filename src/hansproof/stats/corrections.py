"""Corrections of p-values for multiple tests: Benjamini-Hochberg and Holm."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .binomial import Floats


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Return p-values adjusted to control the false-discovery rate (Benjamini, Hochberg 1995)."""
    values = np.asarray(p, np.float64)
    order = np.argsort(values)[::-1]
    scaled = values[order] * values.size / np.arange(values.size, 0, -1)
    q = np.empty_like(values)
    q[order] = np.minimum.accumulate(np.minimum(scaled, 1.0))
    return q


def holm(p: ArrayLike) -> Floats:
    """Return p-values adjusted to control the family-wise error rate (Holm 1979).

    The k-th smallest of m is multiplied by m - k + 1; adjusted values never decrease in that order.
    """
    values = np.asarray(p, np.float64)
    order = np.argsort(values)
    scaled = values[order] * np.arange(values.size, 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return adjusted
