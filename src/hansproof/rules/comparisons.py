"""Compares a number of each choice with those of the other choices of its item."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..cues.counts import ChoiceLayout
from .features import Mask

Floats = NDArray[np.float64]


def mark_largest(values: NDArray[np.generic], layout: ChoiceLayout) -> Mask:
    """Mark the choices with the largest value of their item."""
    largest = np.maximum.reduceat(values, layout.first[:-1])
    return np.asarray(values == largest[layout.item])


def mark_smallest(values: NDArray[np.generic], layout: ChoiceLayout) -> Mask:
    """Mark the choices with the smallest value of their item."""
    smallest = np.minimum.reduceat(values, layout.first[:-1])
    return np.asarray(values == smallest[layout.item])


def mean_of_others(values: Floats, layout: ChoiceLayout) -> Floats:
    """Return for each choice the mean value of the other choices of its item."""
    totals = np.add.reduceat(values, layout.first[:-1])
    sizes = np.diff(layout.first)
    return np.asarray((totals[layout.item] - values) / np.maximum(sizes - 1, 1)[layout.item])


def mark_odd(values: NDArray[np.generic], layout: ChoiceLayout) -> Mask:
    """Mark the only choice that differs, where all others of at least three are the same."""
    values = np.unique(values, return_inverse=True)[1]
    largest = np.maximum.reduceat(values, layout.first[:-1])[layout.item]
    smallest = np.minimum.reduceat(values, layout.first[:-1])[layout.item]
    sizes = np.diff(layout.first)[layout.item]
    is_odd = np.zeros(values.size, np.bool_)
    for edge, other in ((largest, smallest), (smallest, largest)):
        at_edge = values == edge
        n_edge = np.add.reduceat(at_edge.astype(np.int64), layout.first[:-1])[layout.item]
        n_other = np.add.reduceat((values == other).astype(np.int64), layout.first[:-1])
        rest_equal = n_other[layout.item] == sizes - 1
        is_odd |= at_edge & (n_edge == 1) & rest_equal & (sizes >= 3) & (edge != other)
    return is_odd
