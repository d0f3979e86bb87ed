"""A table of word vectors, and dot products of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput

Vectors = NDArray[np.float32]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Real = TypeVar("Real", np.float32, np.float64)

SPACES = " \t\r\n"
_PAIRS = 2**16  # computed at a time


@dataclass(frozen=True, eq=False)  # no slots, for cached properties
class VectorTable:
    """Words, usually the most frequent first, and their vectors."""

    words: tuple[str, ...]
    vectors: Vectors  # one row for each word

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def unit_vectors(self) -> Vectors:
        """The vectors, normalized to length one."""
        return normalize_rows(self.vectors)


def normalize_rows(rows: NDArray[Real]) -> NDArray[Real]:
    """Normalize rows to length one; rows of zeros do not change."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    lengths[lengths == 0] = 1
    # written in place, without a second table in double precision
    scaled = np.empty_like(rows)
    np.divide(rows, lengths[:, None], out=scaled, casting="same_kind")
    return scaled


def pair_dots(rows: NDArray[Real], left_rows: Ints, right_rows: Ints) -> Floats:
    """Return the dot product of each pair of rows, which does not depend on the other pairs."""
    products = np.empty(len(left_rows))
    for start in range(0, len(left_rows), _PAIRS):
        block = slice(start, start + _PAIRS)
        first = rows[left_rows[block]].astype(np.float64, copy=False)
        products[block] = (first * rows[right_rows[block]]).sum(1)
    return products


def check_words(path: str, words: Sequence[str]) -> None:
    """Refuse words that are empty, contain spaces, or occur twice."""
    earlier: set[str] = set()
    for number, word in enumerate(words, start=1):
        if not is_usable(word):
            message = f"word number {number} is empty or contains a space: {word!r}"
            raise BadInput(path, message, field="words")
        if word in earlier:
            raise BadInput(path, f"{word!r} appears twice", field="words")
        earlier.add(word)


def is_usable(word: str) -> bool:
    """Whether a word can be written to a text file: it is not empty and has no spaces."""
    return word != "" and not any(space in word for space in SPACES)
