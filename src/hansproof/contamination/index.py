"""The N-grams of all items of some benchmarks, and which items they belong to.

A file without pickles (`.npz`), checked when it is read. An item too short for any N-gram is in
the index, without one: it cannot be searched for, and is not clean on that account.
"""

from __future__ import annotations

import unicodedata
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from .._infra import atomic_io
from ..errors import BadInput
from ..text.tokenizers import Tokenizer, get_tokenizer
from .shingles import SHINGLE_PART, SHINGLE_WORDS

FORMAT = 1
_READ_ERRORS = (OSError, ValueError, EOFError, KeyError, MemoryError, zipfile.BadZipFile, zlib.error,
         NotImplementedError, RuntimeError, AttributeError, TypeError)  # fmt: skip
_ARRAY_DTYPES = {
    "text": "u1", "starts": "i8", "sizes": "i4", "lengths": "u1", "hashes": "u8",
    "grams": "i4", "items": "i4", "parts": "u1",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class IndexedBenchmark:
    """A benchmark in an index."""

    name: str
    splits: dict[str, str]  # with their fingerprints
    n: int
    n_rule: str  # where N comes from
    ids: tuple[str, ...]
    ngram_counts: tuple[int, ...]  # different N-grams of each item; 0: too short to be searched for


@dataclass(frozen=True, slots=True)
class BenchmarkOverlap:
    """N-grams that two benchmarks have in common, with one N for both."""

    first: str
    second: str
    n: int
    n_ngrams: int
    item_pairs: tuple[tuple[str, str], ...]  # the first pairs of items with one in common
    same_n: bool  # whether N is the one that both have in the index


@dataclass(frozen=True, slots=True)
class IndexHeader:
    """What an index is of."""

    format: int
    version: str  # of hansproof
    tokenizer: str
    unicode_version: str  # tells letters from other characters
    members: tuple[IndexedBenchmark, ...]
    overlaps: tuple[BenchmarkOverlap, ...] = ()
    has_sketches: bool = False  # whether sketches of items are in it, too


@dataclass(frozen=True)
class NgramIndex:
    """N-grams by number, in the order of their hashes; and which items they belong to."""

    header: IndexHeader
    arrays: dict[str, NDArray[Any]] = field(repr=False)

    @cached_property
    def item_offsets(self) -> tuple[int, ...]:
        """The number of each member's first item, and of the one that would follow the last."""
        sizes = [0, *(len(member.ids) for member in self.header.members)]
        return tuple(np.cumsum(sizes).tolist())

    def __len__(self) -> int:
        return int(self.arrays["starts"].size)

    def count_ngrams(self, low: int = 0, high: int | None = None) -> int:
        """How many different N-grams some items have, shingles not counted."""
        items = self.arrays["items"]
        high = self.item_offsets[-1] if high is None else high
        selected = (items >= low) & (items < high) & (self.arrays["parts"] != SHINGLE_PART)
        return int(np.unique(self.arrays["grams"][selected]).size)

    def ngram_text(self, number: int) -> str:
        """The words of an N-gram, blanks between."""
        start = int(self.arrays["starts"][number])
        raw = self.arrays["text"][start : start + int(self.arrays["sizes"][number])]
        return raw.tobytes().decode("utf-8", "surrogatepass")

    def find_postings(self, numbers: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
        """By N-gram the items that it belongs to, and where in each it stands."""
        grams, items, parts = (self.arrays[name] for name in ("grams", "items", "parts"))
        targets = np.asarray(numbers, grams.dtype)  # of another type, all would be copied
        lows, highs = (np.searchsorted(grams, targets, side).tolist() for side in ("left", "right"))
        return {
            number: list(zip(items[low:high].tolist(), parts[low:high].tolist(), strict=True))
            for number, low, high in zip(numbers, lows, highs, strict=True)
        }


def make_header(
    splitter: Tokenizer,
    members: tuple[IndexedBenchmark, ...],
    overlaps: tuple[BenchmarkOverlap, ...],
    has_sketches: bool,
) -> IndexHeader:
    """The head of an index that is made here and now."""
    version = metadata.version("hansproof")
    return IndexHeader(
        FORMAT, version, splitter.name, unicodedata.unidata_version, members, overlaps, has_sketches
    )


def write_index(path: str, index: NgramIndex) -> None:
    """Write an index, whole or not at all."""
    header = np.frombuffer(msgspec.json.encode(index.header), np.uint8)
    with atomic_io.atomic_write(path) as file:
        named_arrays: dict[str, Any] = {"head": header, **index.arrays}
        np.savez(file, **named_arrays)


def read_index(path: str) -> NgramIndex:
    """Read an index; refuse one that would not find here what it was made to find."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            header = msgspec.json.decode(archive["head"].tobytes(), type=IndexHeader)
            arrays = {name: archive[name] for name in _ARRAY_DTYPES}
    except FileNotFoundError:
        raise BadInput(path, "no such index; `hansproof index` writes one") from None
    except (*_READ_ERRORS, msgspec.DecodeError):
        raise BadInput(path, "is no index of `hansproof index`, or is damaged") from None
    _check_header(path, header)
    index = NgramIndex(header, arrays)
    _check_arrays(path, index)
    return index


def _check_header(path: str, header: IndexHeader) -> None:
    if header.format != FORMAT:
        raise BadInput(path, f"was made by another version (format {header.format}): make it again")
    tokenizer_name = get_tokenizer(header.tokenizer).name
    if tokenizer_name != header.tokenizer:
        raise BadInput(
            path, f"was made with tokenizer {header.tokenizer}, here it is {tokenizer_name}"
        )
    if header.unicode_version != unicodedata.unidata_version:
        message = f"Unicode {header.unicode_version}, this Python has {unicodedata.unidata_version}"
        raise BadInput(path, f"was made with {message}: make it again")


def _check_arrays(path: str, index: NgramIndex) -> None:
    """Refuse arrays that point outside of what is there."""
    arrays = index.arrays
    is_damaged = any(
        arrays[name].ndim != 1 or arrays[name].dtype != dtype
        for name, dtype in _ARRAY_DTYPES.items()
    )
    n_grams, n_items = len(index), index.item_offsets[-1]
    per_gram = ("starts", "sizes", "lengths", "hashes")
    is_damaged = is_damaged or any(arrays[name].size != n_grams for name in per_gram)
    is_damaged = is_damaged or len({arrays[name].size for name in ("grams", "items", "parts")}) > 1
    is_damaged = is_damaged or (
        n_grams > 0 and _is_out_of_bounds(arrays, n_grams, n_items, index.header)
    )
    members = index.header.members
    is_damaged = is_damaged or any(not 1 < member.n <= MAX_NGRAM for member in members)
    if (
        is_damaged
        or not members
        or any(len(member.ids) != len(member.ngram_counts) for member in members)
    ):
        raise BadInput(path, "is no index of `hansproof index`, or is damaged")


def _is_out_of_bounds(
    arrays: dict[str, NDArray[Any]], n_grams: int, n_items: int, header: IndexHeader
) -> bool:
    sizes = {member.n for member in header.members} | (
        {SHINGLE_WORDS} if header.has_sketches else set()
    )
    ends = arrays["starts"] + arrays["sizes"]
    return bool(
        arrays["starts"].min() < 0
        or arrays["sizes"].min() < 1
        or not {*np.unique(arrays["lengths"]).tolist()} <= sizes
        or not 1 < min(sizes) <= max(sizes) <= MAX_NGRAM
        or ends.max() > arrays["text"].size
        or ends.min() < 1  # a sum too large for its number
        or (arrays["hashes"][1:] < arrays["hashes"][:-1]).any()
        or (
            arrays["grams"].size > 0
            and (arrays["grams"].min() < 0 or arrays["grams"].max() >= n_grams)
        )
        or (
            arrays["items"].size > 0
            and (arrays["items"].min() < 0 or arrays["items"].max() >= n_items)
        )
        or (np.diff(arrays["grams"]) < 0).any()
    )


MAX_NGRAM = 50  # words of an N-gram, so that hashes can roll
