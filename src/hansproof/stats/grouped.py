"""Two sets of items whose items hang together in groups, such as mirrored pairs.

Items of a group share their fate, so dealing labels item by item would take one fact for several.
Instead the groups of one size swap their patterns of labels: a pair of which the first item is Easy
may hand that to another pair. Monte Carlo, p = (1 + hits) / (R + 1); without groups of several
items it is the test of `randomisation`, exact where that is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .binomial import Floats
from .groups import group_count, group_numbers
from .randomisation import ROUNDS, STREAMS, Tested, between_items, numbers


def between_parts(
    scores: ArrayLike,
    first: ArrayLike,
    groups: Sequence[str | None],
    rounds: int = ROUNDS,
    seed: int = 0,
) -> Tested:
    """Do the marked items score differently from the others? Two-sided."""
    x, mark = numbers(scores), np.asarray(first, bool)
    if group_count(groups) == x.size or mark.all() or not mark.any():
        return between_items(x[mark], x[~mark], rounds=rounds, seed=seed)
    from ._compiled import pattern_deals

    tables = _tables(x, mark, group_numbers(groups))
    seen = float(x[mark].sum())
    expected = sum(float(table.sum()) / len(table) for table in tables)
    bar = abs(seen - expected) - 1e-12 * float(np.abs(x).sum())
    starts = np.cumsum([0, *(len(table) for table in tables)])
    flat = np.concatenate([table.ravel() for table in tables])
    hits = pattern_deals(flat, starts, rounds, seed % STREAMS, expected, bar)
    difference = float(x[mark].mean() - x[~mark].mean())
    return Tested(difference, (1 + hits) / (rounds + 1), f"Monte Carlo by groups, {rounds} rounds")


def _tables(x: Floats, mark: NDArray[np.bool_], number: NDArray[np.int64]) -> list[Floats]:
    """For groups of each size: what each would earn with the pattern of labels of each."""
    sizes = np.bincount(number)[number]
    tables = []
    for size in np.unique(sizes):
        chosen = np.flatnonzero(sizes == size)
        order = chosen[np.argsort(number[chosen], kind="stable")].reshape(-1, size)
        tables.append(x[order] @ mark[order].T.astype(np.float64))
    return tables
