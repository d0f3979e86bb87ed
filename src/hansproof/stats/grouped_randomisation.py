"""Randomisation test for two sets of items that are grouped, such as mirrored pairs.

Items of a group are not independent, so labels must not be dealt item by item. Instead, groups of
the same size exchange their patterns of labels: a pair whose first item is Easy may pass that
pattern to another pair. Monte Carlo, p = (1 + hits) / (R + 1). If every group has one item, the
test is that of `randomisation`, exact where that is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .binomial import Floats
from .groups import group_count, group_numbers
from .randomisation import (
    ROUNDS,
    SEED_MODULUS,
    RandomisationResult,
    as_finite_array,
    two_sample_randomisation_test,
)


def grouped_randomisation_test(
    scores: ArrayLike,
    in_first: ArrayLike,
    groups: Sequence[str | None],
    rounds: int = ROUNDS,
    seed: int = 0,
) -> RandomisationResult:
    """Test whether the items marked by `in_first` score differently from the others, two-sided."""
    x, mask = as_finite_array(scores), np.asarray(in_first, bool)
    if group_count(groups) == x.size or mask.all() or not mask.any():
        return two_sample_randomisation_test(x[mask], x[~mask], rounds=rounds, seed=seed)
    tables = _pattern_tables(x, mask, group_numbers(groups))
    p = deal_patterns(tables, float(x[mask].sum()), float(np.abs(x).sum()), rounds, seed)
    difference = float(x[mask].mean() - x[~mask].mean())
    return RandomisationResult(difference, p, f"Monte Carlo by groups, {rounds} rounds")


def deal_patterns(
    tables: Sequence[Floats], observed: float, scale: float, rounds: int, seed: int
) -> float:
    """Return the two-sided p of an observed sum if groups exchange their patterns of labels.

    A table has the sum of each group, in a row, under the pattern of each group that it may get.
    `scale` is the sum of all absolute scores, by which rounding errors are judged.
    """
    from ._kernels import count_extreme_patterns

    expected = sum(float(table.sum()) / len(table) for table in tables)
    threshold = abs(observed - expected) - 1e-12 * scale
    starts = np.cumsum([0, *(len(table) for table in tables)])
    flat = np.concatenate([table.ravel() for table in tables])
    hits = count_extreme_patterns(flat, starts, rounds, seed % SEED_MODULUS, expected, threshold)
    return float((1 + hits) / (rounds + 1))


def _pattern_tables(
    x: Floats, mask: NDArray[np.bool_], group_index: NDArray[np.int64]
) -> list[Floats]:
    """Return for each group size a table: the sum of each group under the pattern of each group."""
    sizes = np.bincount(group_index)[group_index]
    tables = []
    for size in np.unique(sizes):
        positions = np.flatnonzero(sizes == size)
        order = positions[np.argsort(group_index[positions], kind="stable")].reshape(-1, size)
        tables.append(x[order] @ mask[order].T.astype(np.float64))
    return tables
