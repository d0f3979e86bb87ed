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

BLANKS = " \t\r\n"
_PAIRS = 2**16  # multiplied at a time


@dataclass(frozen=True, eq=False)  # no slots: what follows from a table is kept with it
class Table:
    """Words, most frequent first as a rule, and their vectors."""

    words: tuple[str, ...]
    rows: Vectors  # one of each word

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The row of each word."""
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def units(self) -> Vectors:
        """The rows, of length one."""
        return unit(self.rows)


def unit(rows: NDArray[Real]) -> NDArray[Real]:
    """Rows of length one; one of zeros stays as it is."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    lengths[lengths == 0] = 1
    # the quotient goes where it is to be: no second table in double precision
    scaled = np.empty_like(rows)
    np.divide(rows, lengths[:, None], out=scaled, casting="same_kind")
    return scaled


def dots(rows: NDArray[Real], left: Ints, right: Ints) -> Floats:
    """The product of rows, pair by pair, to the last bit the same whatever stands beside it."""
    found = np.empty(len(left))
    for at in range(0, len(left), _PAIRS):
        some = slice(at, at + _PAIRS)
        first = rows[left[some]].astype(np.float64, copy=False)
        found[some] = (first * rows[right[some]]).sum(1)
    return found


def check_words(path: str, words: Sequence[str]) -> None:
    """Refuse words that are empty, hold blanks, or stand twice."""
    seen: set[str] = set()
    for number, word in enumerate(words, start=1):
        if not usable(word):
            what = f"number {number} is empty or holds a blank: {word!r}"
            raise BadInput(path, what, field="words")
        if word in seen:
            raise BadInput(path, f"{word!r} stands there twice", field="words")
        seen.add(word)


def usable(word: str) -> bool:
    """Whether a word is one that a line of text can hold."""
    return word != "" and not any(blank in word for blank in BLANKS)
