"""Pairs of words from lists of synonyms and antonyms, as pairs of rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from .table import Ints, VectorTable

WordPair = tuple[str, str]  # in alphabetical order

_MAX_LINE = 1000  # bytes; a file with longer lines is not a list of pairs


@dataclass(frozen=True, slots=True)
class PairConstraints:
    """Pairs of rows, the smaller number first, each once."""

    synonyms: Ints  # (n, 2)
    antonyms: Ints
    n_listed: dict[str, int]  # pairs in the lists, by kind
    n_unknown: dict[str, int]  # pairs with a word without vector, by kind
    n_conflicting: int  # pairs in lists of both kinds; they count as antonyms


def read_pairs(paths: Iterable[str]) -> set[WordPair]:
    """Read the pairs of lists, with two words on each line; `#` begins a comment."""
    pairs: set[WordPair] = set()
    for path in paths:
        file_pairs = set(_iter_pairs(path))
        if not file_pairs:
            raise BadInput(path, "contains no pairs of words")
        pairs |= file_pairs
    return pairs


def build_constraints(
    table: VectorTable, synonyms: set[WordPair], antonyms: set[WordPair]
) -> PairConstraints:
    """Select the pairs whose words a table contains; there must be at least one."""
    rows = {
        "synonyms": _pair_rows(table, synonyms - antonyms),
        "antonyms": _pair_rows(table, antonyms),
    }
    if not any(len(pairs) for pairs in rows.values()):
        total = len(synonyms | antonyms)
        raise BadInput("vectors", f"none of the {total} pairs has vectors for both words")
    n_listed = {"synonyms": len(synonyms), "antonyms": len(antonyms)}
    n_conflicting = len(synonyms & antonyms)
    n_unknown = {kind: n_listed[kind] - len(pairs) for kind, pairs in rows.items()}
    n_unknown["synonyms"] -= n_conflicting
    return PairConstraints(rows["synonyms"], rows["antonyms"], n_listed, n_unknown, n_conflicting)


def _iter_pairs(path: str) -> Iterator[WordPair]:
    """Yield the pairs of a file, without pairs of a word with itself."""
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE), b""), start=1):
                words = _parse_line(path, line, number)
                if words and words[0] != words[1]:
                    yield min(words), max(words)
    except OSError as error:
        raise BadInput(path, f"cannot be read: {error.strerror}") from None


def _parse_line(path: str, line: bytes, number: int) -> list[str]:
    """Return the two words of a line; none for an empty line or a comment."""
    if not line.strip() or line.lstrip().startswith(b"#"):
        return []
    try:
        first, second = line.decode().split()
    except ValueError:  # also raised for bytes that are not UTF-8
        raise BadInput(path, "is not of the form: word word", line=number) from None
    return [first, second]


def _pair_rows(table: VectorTable, pairs: set[WordPair]) -> Ints:
    """Return the sorted rows of the pairs whose words both have a vector."""
    row_of = table.row_of
    rows = sorted(
        (min(row_of[first], row_of[second]), max(row_of[first], row_of[second]))
        for first, second in pairs
        if first in row_of and second in row_of
    )
    return np.array(rows, np.int64).reshape(-1, 2)
