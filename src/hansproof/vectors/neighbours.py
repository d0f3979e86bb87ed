"""Nearest words, and the similarity of two words: by the cosine of their vectors.

The result for a word does not depend on the other words of a query. Matrix products, which a linear
algebra library may round in different ways, only select candidates; these are then compared by
products that are always summed in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .table import Floats, Ints, Vectors, VectorTable, pair_dots

Neighbours = list[tuple[str, float]]  # best first

_CELLS = 2**24  # cosines computed at a time: 64 MiB
_N_GROUPS = 64
_TOLERANCE = 1e-4  # exceeds the error of single precision for thousands of dimensions


def nearest_words(table: VectorTable, words: Iterable[str], count: int) -> dict[str, Neighbours]:
    """Return by word the nearest other words; among equals, the first in the table.

    Words are looked up in lower case; words without a vector are left out.
    """
    row_of = {word: table.row_of.get(word.lower()) for word in words}
    query_rows = np.array(sorted({row for row in row_of.values() if row is not None}), np.int64)
    size = max(1, _CELLS // max(len(table.words), 1))
    neighbours: dict[int, Neighbours] = {}
    for start in range(0, len(query_rows), size):
        batch = query_rows[start : start + size]
        cosines = table.unit_vectors[batch] @ table.unit_vectors.T
        cosines[np.arange(len(batch)), batch] = -np.inf  # a word is not its own neighbour
        neighbours |= {
            int(query): _best_neighbours(table, query, similarities, count)
            for query, similarities in zip(batch, cosines, strict=True)
        }
    return {word: neighbours[row] for word, row in row_of.items() if row is not None}


def _best_neighbours(table: VectorTable, query: int, cosines: Vectors, count: int) -> Neighbours:
    """Return the nearest words of a row, from approximate cosines."""
    count = min(count, len(cosines) - 1)
    if count < 1:
        return []
    candidates = np.flatnonzero(cosines >= _threshold_for(cosines, count) - _TOLERANCE)
    exact = _row_cosines(table, np.full(len(candidates), query), candidates)
    order = np.argsort(-exact, kind="stable")[:count]
    return [(table.words[candidates[row]], float(exact[row])) for row in order]


def _threshold_for(cosines: Vectors, count: int) -> np.float32:
    """Return a threshold that at least `count` cosines reach, and not many more."""
    width = len(cosines) // _N_GROUPS
    if width > count:  # partitioning the maxima of groups is faster
        cosines = cosines[: width * _N_GROUPS].reshape(_N_GROUPS, width).max(0)
    threshold: np.float32 = np.partition(cosines, -count)[-count]
    return threshold


def pair_cosines(table: VectorTable, pairs: Sequence[tuple[str, str]]) -> Floats:
    """Return the cosine of each pair of words; NaN if one of them has no vector."""
    rows = [table.row_of.get(word.lower(), -1) for pair in pairs for word in pair]
    left_rows, right_rows = np.array(rows, np.int64).reshape(-1, 2).T
    cosines = _row_cosines(table, left_rows, right_rows)
    cosines[(left_rows < 0) | (right_rows < 0)] = np.nan
    return cosines


def _row_cosines(table: VectorTable, left_rows: Ints, right_rows: Ints) -> Floats:
    return np.clip(pair_dots(table.unit_vectors, left_rows, right_rows), -1, 1)
