"""Merges p-values that depend on each other in unknown ways, such as those of folds."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike


def merge_p_values(p: ArrayLike) -> float:
    """Return e times the geometric mean of p-values: valid whatever their dependence.

    Vovk and Wang 2020, "Combining p-values via averaging". A single p is returned as it is.
    """
    values = np.asarray(p, np.float64)
    if values.size == 1:
        return float(values[0])
    if (values <= 0).any():
        return 0.0
    return min(1.0, math.e * math.exp(float(np.log(values).mean())))
