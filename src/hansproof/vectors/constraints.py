"""Pairs of words that should be near each other or far apart, from lists, as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from .table import Ints, Table

Pair = tuple[str, str]  # in the order of the alphabet

_LONGEST = 1000  # bytes of a line: a file with more is no list of pairs


@dataclass(frozen=True, slots=True)
class Constraints:
    """Pairs by row, the first below the second, each once."""

    synonyms: Ints  # (n, 2)
    antonyms: Ints
    listed: dict[str, int]  # kind -> pairs of its lists
    unknown: dict[str, int]  # kind -> pairs of which a word has no vector
    both: int  # pairs in lists of both kinds, which count as antonyms


def read(paths: Iterable[str]) -> set[Pair]:
    """The pairs of lists, two words to a line; `#` begins a line that is no pair."""
    found: set[Pair] = set()
    for path in paths:
        own = set(_pairs(path))
        if not own:
            raise BadInput(path, "holds no pairs of words")
        found |= own
    return found


def known(table: Table, synonyms: set[Pair], antonyms: set[Pair]) -> Constraints:
    """What of the lists is about words of a table; at least one pair must be."""
    rows = {"synonyms": _rows(table, synonyms - antonyms), "antonyms": _rows(table, antonyms)}
    if not any(len(pairs) for pairs in rows.values()):
        total = len(synonyms | antonyms)
        raise BadInput("vectors", f"there are some for both words of none of the {total} pairs")
    listed = {"synonyms": len(synonyms), "antonyms": len(antonyms)}
    both = len(synonyms & antonyms)
    unknown = {kind: listed[kind] - len(pairs) for kind, pairs in rows.items()}
    unknown["synonyms"] -= both
    return Constraints(rows["synonyms"], rows["antonyms"], listed, unknown, both)


def _pairs(path: str) -> Iterator[Pair]:
    """The pairs of a file, as they come; a word beside itself says nothing."""
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST), b""), start=1):
                words = _words(path, line, number)
                if words and words[0] != words[1]:
                    yield min(words), max(words)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None


def _words(path: str, line: bytes, number: int) -> list[str]:
    """The two words of a line; none of one that is empty or a comment."""
    if not line.strip() or line.lstrip().startswith(b"#"):
        return []
    try:
        first, second = line.decode().split()
    except ValueError:  # also of bytes that are no UTF-8
        raise BadInput(path, "is not of the form: word word", line=number) from None
    return [first, second]


def _rows(table: Table, pairs: set[Pair]) -> Ints:
    """The rows of pairs of which both words have a vector, in order."""
    at = table.numbers
    found = sorted(
        (min(at[one], at[other]), max(at[one], at[other]))
        for one, other in pairs
        if one in at and other in at
    )
    return np.array(found, np.int64).reshape(-1, 2)
