"""The nearest words of a word, and how near two words are: by the cosine of their vectors.

What is found for a word does not depend on what else is asked for. The products of many words at
once, which a linear algebra library rounds as it likes, only say which words may be among the
nearest; these are then compared by products that are always added up in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .table import Floats, Ints, Table, Vectors, dots

Near = list[tuple[str, float]]  # best first

_CELLS = 2**24  # cosines worked out at a time: 64 MiB
_GROUPED = 64
_ROUNDED = 1e-4  # more than single precision can be off, for vectors of thousands of numbers


def nearest(table: Table, words: Iterable[str], count: int) -> dict[str, Near]:
    """The nearest other words by word, of equals the first in the table.

    Words are looked up in lower case; one without a vector is not in the answer.
    """
    at = {word: table.numbers.get(word.lower()) for word in words}
    known = np.array(sorted({row for row in at.values() if row is not None}), np.int64)
    size = max(1, _CELLS // max(len(table.words), 1))
    found: dict[int, Near] = {}
    for start in range(0, len(known), size):
        asked = known[start : start + size]
        cosines = table.units[asked] @ table.units.T
        cosines[np.arange(len(asked)), asked] = -np.inf  # a word is no neighbour of its own
        found |= {
            int(own): _best(table, own, row, count) for own, row in zip(asked, cosines, strict=True)
        }
    return {word: found[row] for word, row in at.items() if row is not None}


def _best(table: Table, own: int, cosines: Vectors, count: int) -> Near:
    """The nearest of one word, from cosines that are nearly right."""
    count = min(count, len(cosines) - 1)
    if count < 1:
        return []
    others = np.flatnonzero(cosines >= _reached(cosines, count) - _ROUNDED)
    exact = _cosines(table, np.full(len(others), own), others)
    order = np.argsort(-exact, kind="stable")[:count]
    return [(table.words[others[row]], float(exact[row])) for row in order]


def _reached(cosines: Vectors, count: int) -> np.float32:
    """A number that at least so many reach, and not many more."""
    width = len(cosines) // _GROUPED
    if width > count:  # the largest of each group are fewer to be put in order
        cosines = cosines[: width * _GROUPED].reshape(_GROUPED, width).max(0)
    reached: np.float32 = np.partition(cosines, -count)[-count]
    return reached


def cosine(table: Table, pairs: Sequence[tuple[str, str]]) -> Floats:
    """How near the two words of each pair are; NaN where one of them has no vector."""
    rows = [table.numbers.get(word.lower(), -1) for pair in pairs for word in pair]
    left, right = np.array(rows, np.int64).reshape(-1, 2).T
    found = _cosines(table, left, right)
    found[(left < 0) | (right < 0)] = np.nan
    return found


def _cosines(table: Table, left: Ints, right: Ints) -> Floats:
    return np.clip(dots(table.units, left, right), -1, 1)
