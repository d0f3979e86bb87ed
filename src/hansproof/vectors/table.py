"""A table of word vectors, and the products of its rows."""

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
_PAIRS = 2**16  # multiplied at a time


@dataclass(frozen=True, eq=False)  # no slots: what follows from a table is kept with it
class VectorTable:
    """Words, most frequent first as a rule, and their vectors."""

    words: tuple[str, ...]
    vectors: Vectors  # one of each word

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    @cached_property
    def unit_vectors(self) -> Vectors:
        """The rows, of length one."""
        return normalize_rows(self.vectors)


def normalize_rows(rows: NDArray[Real]) -> NDArray[Real]:
    """Rows of length one; one of zeros stays as it is."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    lengths[lengths == 0] = 1
    # the quotient goes where it is to be: no second table in double precision
    scaled = np.empty_like(rows)
    np.divide(rows, lengths[:, None], out=scaled, casting="same_kind")
    return scaled


def pair_dots(rows: NDArray[Real], left_rows: Ints, right_rows: Ints) -> Floats:
    """The product of rows, pair by pair, to the last bit the same whatever stands beside it."""
    products = np.empty(len(left_rows))
    for start in range(0, len(left_rows), _PAIRS):
        block = slice(start, start + _PAIRS)
        first = rows[left_rows[block]].astype(np.float64, copy=False)
        products[block] = (first * rows[right_rows[block]]).sum(1)
    return products


def check_words(path: str, words: Sequence[str]) -> None:
    """Refuse words that are empty, hold blanks, or stand twice."""
    earlier: set[str] = set()
    for number, word in enumerate(words, start=1):
        if not is_usable(word):
            message = f"number {number} is empty or holds a blank: {word!r}"
            raise BadInput(path, message, field="words")
        if word in earlier:
            raise BadInput(path, f"{word!r} stands there twice", field="words")
        earlier.add(word)


def is_usable(word: str) -> bool:
    """Whether a word is one that a line of text can hold."""
    return word != "" and not any(space in word for space in SPACES)
