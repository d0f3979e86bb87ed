"""Tables of how often one word came before another, as `hansproof count` writes them.

The file is an `.npz` without pickles. Words are sorted, and numbered in that order; a pair (u, v)
has the number u * words + v, and pairs are sorted, too. Everything is checked when a table is read.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._infra import atomic_io
from ...errors import BadInput
from ...text.tokenizers import get_tokenizer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]

SCHEMA = 1
_ARRAYS = {"words": "u1", "counts": "i8", "keys": "u8", "pairs": "i8"}
_NUMBERS = ("schema", "total", "total_pairs", "window", "phrases", "connectives")
_READ_ERRORS = (
    OSError, ValueError, EOFError, KeyError, MemoryError, zipfile.BadZipFile, zlib.error,
    NotImplementedError, RuntimeError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CountTable:
    """Counts of units (words and, optionally, phrases of two words) and of pairs of units."""

    words: tuple[str, ...]
    counts: Ints
    keys: Keys
    pairs: Ints  # counts, one for each key
    total: int  # units counted, including those that were too rare to keep
    total_pairs: int
    window: int
    phrases: bool  # frequent word pairs are units too
    connectives: bool  # pairs are those on the two sides of a connective, the cause first
    tokenizer: str

    def count_pairs(self, before: Ints, after: Ints) -> Ints:
        """Return how often each unit of `before` was followed by that of `after`."""
        if not len(self.keys):
            return np.zeros(len(before), np.int64)
        keys = before.astype(np.uint64) * np.uint64(len(self.words)) + after.astype(np.uint64)
        indices = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[indices] == keys, self.pairs[indices], 0)

    def pair_margins(self) -> tuple[Floats, Floats]:
        """Return how often each word was the first of a pair, and the second."""
        size = max(len(self.words), 1)
        weights = self.pairs.astype(np.float64)
        first, second = (side.astype(np.int64) for side in np.divmod(self.keys, np.uint64(size)))
        return _weighted_counts(first, weights, size), _weighted_counts(second, weights, size)


def _weighted_counts(numbers: Ints, weights: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(numbers, weights, size), np.float64)


def write_table(path: str, table: CountTable) -> None:
    """Write a table atomically."""
    numbers: dict[str, Any] = {name: np.int64(getattr(table, name)) for name in _NUMBERS[1:]}
    words = np.frombuffer("\n".join(table.words).encode("utf-8", "surrogatepass"), np.uint8)
    with atomic_io.atomic_write(path) as file:
        np.savez(
            file, schema=np.int64(SCHEMA), words=words, counts=table.counts, keys=table.keys,
            pairs=table.pairs, tokenizer=np.array(table.tokenizer), **numbers,
        )  # fmt: skip


def read_table(path: str) -> CountTable:
    """Read a table and check it."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in (*_ARRAYS, *_NUMBERS, "tokenizer")}
    except FileNotFoundError:
        raise BadInput(path, "no such table of counts; make one with `hansproof count`") from None
    except (*_READ_ERRORS, AttributeError, TypeError):  # the last two: not an archive
        raise _table_error(path, "was not written by `hansproof count`, or is damaged") from None
    _check_arrays(path, arrays)
    blob = arrays["words"].tobytes().decode("utf-8", "surrogatepass")
    numbers = {name: int(arrays[name]) for name in _NUMBERS[1:]}
    table = CountTable(
        tuple(blob.split("\n")) if blob else (), arrays["counts"], arrays["keys"],
        arrays["pairs"], numbers["total"], numbers["total_pairs"], numbers["window"],
        bool(numbers["phrases"]), bool(numbers["connectives"]),
        get_tokenizer(str(arrays["tokenizer"])).name,
    )  # fmt: skip
    _check_counts(path, table)
    return table


def _check_arrays(path: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Raise if an array has another shape or type than `write_table` gives it."""
    for name, kind in _ARRAYS.items():
        if arrays[name].ndim != 1 or arrays[name].dtype != np.dtype(kind):
            raise _table_error(path, f"{name} have the wrong type or shape")
    for name in _NUMBERS:
        if arrays[name].shape != () or arrays[name].dtype != np.dtype("i8"):
            raise _table_error(path, f"{name} is not a number")
    if int(arrays["schema"]) != SCHEMA:
        raise _table_error(path, f"was written by another version (schema {int(arrays['schema'])})")
    if arrays["tokenizer"].shape != () or arrays["tokenizer"].dtype.kind != "U":
        raise _table_error(path, "does not name its tokenizer")
    try:
        arrays["words"].tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise _table_error(path, "words are not UTF-8") from None


def _check_counts(path: str, table: CountTable) -> None:
    """Raise if the counts are inconsistent."""
    size = len(table.words)
    problems = {
        "words and counts differ in number": len(table.counts) != size,
        "words are out of order": any(
            word >= next_word for word, next_word in zip(table.words, table.words[1:], strict=False)
        ),
        "pairs and counts differ in number": len(table.keys) != len(table.pairs),
        "pairs are out of order": bool((table.keys[1:] <= table.keys[:-1]).any()),
        "pairs contain words that are missing": len(table.keys) > 0
        and int(table.keys[-1]) >= size**2,
        "a count is not above 0": bool((table.counts < 1).any() or (table.pairs < 1).any()),
        "counts exceed their total": int(table.counts.sum()) > table.total
        or int(table.pairs.sum()) > table.total_pairs,
        "the window is not above 0": table.window < 1,
    }
    for problem, is_present in problems.items():
        if is_present:
            raise _table_error(path, problem)


def _table_error(path: str, problem: str) -> BadInput:
    return BadInput(path, f"table of counts: {problem}")
