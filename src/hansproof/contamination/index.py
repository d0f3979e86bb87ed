"""The index: the N-grams of all items of some benchmarks, and the items that contain them.

It is saved as `.npz`, without pickles, and checked when it is read. Items that are too short for
any N-gram are listed without one: they cannot be searched for, which does not make them clean.
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

FORMAT = 2
MAX_NGRAM = 50  # words; the rolling hash allows no more than 63
_READ_ERRORS = (
    OSError, ValueError, EOFError, KeyError, MemoryError, zipfile.BadZipFile, zlib.error,
    NotImplementedError, RuntimeError, AttributeError, TypeError,
)  # fmt: skip
_ARRAY_DTYPES = {
    "text": "u1", "starts": "i8", "sizes": "i4", "lengths": "u1", "hashes": "u8",
    "grams": "i4", "items": "i4", "parts": "u1",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class IndexedBenchmark:
    """A benchmark in an index."""

    name: str
    splits: dict[str, str]  # sha256 by split
    n: int
    n_rule: str  # how N was chosen
    ids: tuple[str, ...]
    ngram_counts: tuple[int, ...]  # different N-grams by item; 0: too short to be searched for


@dataclass(frozen=True, slots=True)
class BenchmarkOverlap:
    """The N-grams that two benchmarks have in common, with one N for both."""

    first: str
    second: str
    n: int
    n_ngrams: int
    item_pairs: tuple[tuple[str, str], ...]  # the first pairs of items that share one
    same_n: bool  # whether both have this N in the index


@dataclass(frozen=True, slots=True)
class IndexHeader:
    """The benchmarks of an index, and how it was made."""

    format: int
    version: str  # of hansproof
    tokenizer: str
    unicode_version: str  # of the Python that made it: decides what a letter is
    members: tuple[IndexedBenchmark, ...]
    overlaps: tuple[BenchmarkOverlap, ...] = ()
    has_sketches: bool = False  # whether it contains shingles of items, too


@dataclass(frozen=True)
class NgramIndex:
    """N-grams, numbered in the order of their hashes, and the items that contain them."""

    header: IndexHeader
    arrays: dict[str, NDArray[Any]] = field(repr=False)

    @cached_property
    def item_offsets(self) -> tuple[int, ...]:
        """The number of the first item of each benchmark, and the number of all items."""
        sizes = [0, *(len(member.ids) for member in self.header.members)]
        return tuple(np.cumsum(sizes).tolist())

    def __len__(self) -> int:
        return int(self.arrays["starts"].size)

    def count_ngrams(self, low: int = 0, high: int | None = None) -> int:
        """Count the different N-grams, without shingles, of the items from `low` to `high`."""
        items = self.arrays["items"]
        high = self.item_offsets[-1] if high is None else high
        selected = (items >= low) & (items < high) & (self.arrays["parts"] != SHINGLE_PART)
        return int(np.unique(self.arrays["grams"][selected]).size)

    def ngram_text(self, number: int) -> str:
        """Return the words of an N-gram, with spaces between."""
        start = int(self.arrays["starts"][number])
        raw = self.arrays["text"][start : start + int(self.arrays["sizes"][number])]
        return raw.tobytes().decode("utf-8", "surrogatepass")

    def find_postings(self, numbers: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
        """Return by N-gram the items that contain it, each with the parts it occurs in."""
        grams, items, parts = (self.arrays[name] for name in ("grams", "items", "parts"))
        # with another dtype, searchsorted would copy all grams
        targets = np.asarray(numbers, grams.dtype)
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
    """Return the header of an index that is made by this Python."""
    version = metadata.version("hansproof")
    return IndexHeader(
        FORMAT, version, splitter.name, unicodedata.unidata_version, members, overlaps, has_sketches
    )


class _FileFormat(msgspec.Struct):
    format: int


def check_format(path: str, raw: bytes, expected: int, command: str) -> None:
    """Refuse a file of another format, whatever its other keys are."""
    number = msgspec.json.decode(raw, type=_FileFormat).format
    if number != expected:
        reason = f"was made by another version (format {number}, not {expected})"
        raise BadInput(path, f"{reason}: make it again with {command}")


def write_index(path: str, index: NgramIndex) -> None:
    """Write an index atomically."""
    header = np.frombuffer(msgspec.json.encode(index.header), np.uint8)
    with atomic_io.atomic_write(path) as file:
        named_arrays: dict[str, Any] = {"head": header, **index.arrays}
        np.savez(file, **named_arrays)


def read_index(path: str) -> NgramIndex:
    """Read an index; refuse one that would find other N-grams with this Python."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            raw_header = archive["head"].tobytes()
            check_format(path, raw_header, FORMAT, "`hansproof index`")
            header = msgspec.json.decode(raw_header, type=IndexHeader)
            arrays = {name: archive[name] for name in _ARRAY_DTYPES}
    except FileNotFoundError:
        raise BadInput(path, "no such index; make one with `hansproof index`") from None
    except (*_READ_ERRORS, msgspec.DecodeError):
        raise BadInput(path, "was not written by `hansproof index`, or is damaged") from None
    _check_header(path, header)
    index = NgramIndex(header, arrays)
    _check_arrays(path, index)
    return index


def _check_header(path: str, header: IndexHeader) -> None:
    tokenizer_name = get_tokenizer(header.tokenizer).name
    if tokenizer_name != header.tokenizer:
        raise BadInput(
            path,
            f"was made with tokenizer {header.tokenizer}, but {tokenizer_name} is installed: make "
            "it again",
        )
    if header.unicode_version != unicodedata.unidata_version:
        message = (
            f"Unicode {header.unicode_version}, but this Python has {unicodedata.unidata_version}"
        )
        raise BadInput(path, f"was made with {message}: make it again")


def _check_arrays(path: str, index: NgramIndex) -> None:
    """Refuse arrays of another type or size, or with numbers that are out of bounds."""
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
        raise BadInput(path, "was not written by `hansproof index`, or is damaged")


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
        or ends.min() < 1  # an overflow
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
