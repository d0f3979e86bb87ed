"""Tests a sum of independent values, each drawn from a list of its own in which all are as likely.

So are the credits of groups of items if their answers are rotated: a group earns what it earned, or
what it would have earned with another rotation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from .binomial import Floats
from .lattice import to_lattice

COARSE = 60  # values that are not on a lattice are rounded to a fraction of this


def drawn_sum_p(lists: Sequence[Floats]) -> float:
    """Return the exact one-sided p of the sum of the first value of each list.

    It is the probability that values drawn from all lists have a sum as large.
    """
    ends = np.cumsum([len(values) for values in lists])
    if not ends.size:
        return 1.0
    all_values = np.concatenate(list(lists))
    lattice = to_lattice(all_values)
    integers = np.rint(all_values * COARSE).astype(np.int64) if lattice is None else lattice[0]
    rows = [row - row.min() for row in np.split(integers, ends[:-1])]
    observed = sum(int(row[0]) for row in rows)
    pmf = np.ones(1)
    for values, count in Counter(tuple(sorted(row.tolist())) for row in rows).items():
        pmf = np.convolve(pmf, _repeat_draw(np.bincount(values) / len(values), count))
    return float(min(1.0, pmf[observed:].sum()))


def _repeat_draw(pmf: Floats, count: int) -> Floats:
    """Return the distribution of the sum of `count` draws, by repeated squaring."""
    total = np.ones(1)
    while count:
        if count & 1:
            total = np.convolve(total, pmf)
        pmf, count = np.convolve(pmf, pmf) if count > 1 else pmf, count >> 1
    return total
