"""The nearest words of a word, and how near two words are: by the cosine of their vectors.

What is found for a word does not depend on what else is asked for. The products of many words at
once, which a linear algebra library rounds as it likes, only say which words may be among the
nearest; these are then compared by products that are always added up in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .table import Floats, Ints, Vectors, VectorTable, pair_dots

Neighbours = list[tuple[str, float]]  # best first

_CELLS = 2**24  # cosines worked out at a time: 64 MiB
_N_GROUPS = 64
_TOLERANCE = 1e-4  # more than single precision can be off, for vectors of thousands of numbers


def nearest_words(table: VectorTable, words: Iterable[str], count: int) -> dict[str, Neighbours]:
    """The nearest other words by word, of equals the first in the table.

    Words are looked up in lower case; one without a vector is not in the answer.
    """
    row_of = {word: table.row_of.get(word.lower()) for word in words}
    query_rows = np.array(sorted({row for row in row_of.values() if row is not None}), np.int64)
    size = max(1, _CELLS // max(len(table.words), 1))
    neighbours: dict[int, Neighbours] = {}
    for start in range(0, len(query_rows), size):
        batch = query_rows[start : start + size]
        cosines = table.unit_vectors[batch] @ table.unit_vectors.T
        cosines[np.arange(len(batch)), batch] = -np.inf  # a word is no neighbour of its own
        neighbours |= {
            int(query): _best_neighbours(table, query, similarities, count)
            for query, similarities in zip(batch, cosines, strict=True)
        }
    return {word: neighbours[row] for word, row in row_of.items() if row is not None}


def _best_neighbours(table: VectorTable, query: int, cosines: Vectors, count: int) -> Neighbours:
    """The nearest of one word, from cosines that are nearly right."""
    count = min(count, len(cosines) - 1)
    if count < 1:
        return []
    candidates = np.flatnonzero(cosines >= _threshold_for(cosines, count) - _TOLERANCE)
    exact = _row_cosines(table, np.full(len(candidates), query), candidates)
    order = np.argsort(-exact, kind="stable")[:count]
    return [(table.words[candidates[row]], float(exact[row])) for row in order]


def _threshold_for(cosines: Vectors, count: int) -> np.float32:
    """A number that at least so many reach, and not many more."""
    width = len(cosines) // _N_GROUPS
    if width > count:  # the largest of each group are fewer to be put in order
        cosines = cosines[: width * _N_GROUPS].reshape(_N_GROUPS, width).max(0)
    threshold: np.float32 = np.partition(cosines, -count)[-count]
    return threshold


def pair_cosines(table: VectorTable, pairs: Sequence[tuple[str, str]]) -> Floats:
    """How near the two words of each pair are; NaN where one of them has no vector."""
    rows = [table.row_of.get(word.lower(), -1) for pair in pairs for word in pair]
    left_rows, right_rows = np.array(rows, np.int64).reshape(-1, 2).T
    cosines = _row_cosines(table, left_rows, right_rows)
    cosines[(left_rows < 0) | (right_rows < 0)] = np.nan
    return cosines


def _row_cosines(table: VectorTable, left_rows: Ints, right_rows: Ints) -> Floats:
    return np.clip(pair_dots(table.unit_vectors, left_rows, right_rows), -1, 1)
