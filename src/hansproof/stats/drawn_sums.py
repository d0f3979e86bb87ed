"""Tests a sum of independent values, each drawn from a list of its own in which all are as likely.

So are the credits of groups of items if their answers are rotated: a group earns what it earned, or
what it would have earned with another rotation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .binomial import Floats
from .lattice import to_lattice

COARSE = 60  # values that are not on a lattice are rounded to a fraction of this
MAX_SUMS = 1 << 20  # so are values on a lattice, if more sums than these are possible
NEGLIGIBLE = 1e-40  # ends of a distribution that are less likely are dropped
DROPPED = 1e-30  # all that is dropped is less likely than this

Distribution = tuple[int, Floats]  # the smallest sum, and the probability of it and those above it


def drawn_sum_p(lists: Sequence[Floats]) -> float:
    """Return the exact one-sided p of the sum of the first value of each list.

    It is the probability that values drawn from all lists have a sum as large.
    """
    ends = np.cumsum([len(values) for values in lists])
    if not ends.size:
        return 1.0
    all_values = np.concatenate(list(lists))
    lattice = to_lattice(all_values)
    rows = _split_rows(all_values, ends) if lattice is None else _split_rows(lattice[0], ends)
    if lattice is None or sum(int(row.max()) for row in rows) > MAX_SUMS:
        rows = _split_rows(np.rint(all_values * COARSE), ends)
    observed = sum(int(row[0]) for row in rows)
    total: Distribution = (0, np.ones(1))
    for values, count in Counter(tuple(sorted(row.tolist())) for row in rows).items():
        total = _add(total, _repeat_draw(np.bincount(values) / len(values), count))
    start, pmf = total
    return float(min(1.0, pmf[max(observed - start, 0) :].sum() + DROPPED))


def _split_rows(values: NDArray[np.generic], ends: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the values of each list, counted from its smallest."""
    rows = np.split(values.astype(np.int64), ends[:-1])
    return [row - row.min() for row in rows]


def _repeat_draw(pmf: Floats, count: int) -> Distribution:
    """Return the distribution of the sum of `count` draws, by repeated squaring."""
    total: Distribution = (0, np.ones(1))
    power: Distribution = (0, pmf)
    while count:
        if count & 1:
            total = _add(total, power)
        count >>= 1
        if count:
            power = _add(power, power)
    return total


def _add(first: Distribution, second: Distribution) -> Distribution:
    """Return the distribution of the sum of two independent values."""
    pmf = np.convolve(first[1], second[1])
    likely = np.flatnonzero(pmf > NEGLIGIBLE)
    return first[0] + second[0] + int(likely[0]), pmf[likely[0] : likely[-1] + 1]
