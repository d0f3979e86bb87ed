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

from .. import files
from ..errors import BadInput
from ..text import Tokenizer, tokenizer
from .near import NEAR, SHINGLE

FORMAT = 1
_TORN = (OSError, ValueError, EOFError, KeyError, MemoryError, zipfile.BadZipFile, zlib.error,
         NotImplementedError, RuntimeError, AttributeError, TypeError)  # fmt: skip
_ARRAYS = {
    "text": "u1", "starts": "i8", "sizes": "i4", "lengths": "u1", "hashes": "u8",
    "grams": "i4", "items": "i4", "parts": "u1",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """A benchmark in an index."""

    name: str
    splits: dict[str, str]  # with their fingerprints
    n: int
    rule: str  # where N comes from
    ids: tuple[str, ...]
    grams: tuple[int, ...]  # different N-grams of each item; 0: too short to be searched for


@dataclass(frozen=True, slots=True)
class Shared:
    """N-grams that two benchmarks have in common, with one N for both."""

    one: str
    other: str
    n: int
    grams: int
    items: tuple[tuple[str, str], ...]  # the first pairs of items with one in common
    own: bool  # whether N is the one that both have in the index


@dataclass(frozen=True, slots=True)
class Head:
    """What an index is of."""

    format: int
    version: str  # of hansproof
    tokenizer: str
    unicode: str  # tells letters from other characters
    members: tuple[Member, ...]
    shared: tuple[Shared, ...] = ()
    near: bool = False  # whether sketches of items are in it, too


@dataclass(frozen=True)
class Index:
    """N-grams by number, in the order of their hashes; and which items they belong to."""

    head: Head
    arrays: dict[str, NDArray[Any]] = field(repr=False)

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """The number of each member's first item, and of the one that would follow the last."""
        sizes = [0, *(len(member.ids) for member in self.head.members)]
        return tuple(np.cumsum(sizes).tolist())

    def __len__(self) -> int:
        return int(self.arrays["starts"].size)

    def count(self, low: int = 0, high: int | None = None) -> int:
        """How many different N-grams some items have, shingles not counted."""
        items = self.arrays["items"]
        high = self.offsets[-1] if high is None else high
        own = (items >= low) & (items < high) & (self.arrays["parts"] != NEAR)
        return int(np.unique(self.arrays["grams"][own]).size)

    def gram(self, number: int) -> str:
        """The words of an N-gram, blanks between."""
        start = int(self.arrays["starts"][number])
        raw = self.arrays["text"][start : start + int(self.arrays["sizes"][number])]
        return raw.tobytes().decode("utf-8", "surrogatepass")

    def postings(self, numbers: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
        """By N-gram the items that it belongs to, and where in each it stands."""
        grams, items, parts = (self.arrays[name] for name in ("grams", "items", "parts"))
        wanted = np.asarray(numbers, grams.dtype)  # of another type, all would be copied
        lows, highs = (np.searchsorted(grams, wanted, side).tolist() for side in ("left", "right"))
        return {
            number: list(zip(items[low:high].tolist(), parts[low:high].tolist(), strict=True))
            for number, low, high in zip(numbers, lows, highs, strict=True)
        }


def head_of(
    cut: Tokenizer, members: tuple[Member, ...], shared: tuple[Shared, ...], near: bool
) -> Head:
    """The head of an index that is made here and now."""
    version = metadata.version("hansproof")
    return Head(FORMAT, version, cut.name, unicodedata.unidata_version, members, shared, near)


def write(path: str, index: Index) -> None:
    """Write an index, whole or not at all."""
    head = np.frombuffer(msgspec.json.encode(index.head), np.uint8)
    with files.part(path) as file:
        held: dict[str, Any] = {"head": head, **index.arrays}
        np.savez(file, **held)


def read(path: str) -> Index:
    """Read an index; refuse one that would not find here what it was made to find."""
    try:
        with np.load(path, allow_pickle=False) as held:
            head = msgspec.json.decode(held["head"].tobytes(), type=Head)
            arrays = {name: held[name] for name in _ARRAYS}
    except FileNotFoundError:
        raise BadInput(path, "no such index; `hansproof index` writes one") from None
    except (*_TORN, msgspec.DecodeError):
        raise BadInput(path, "is no index of `hansproof index`, or is damaged") from None
    _check_head(path, head)
    index = Index(head, arrays)
    _check(path, index)
    return index


def _check_head(path: str, head: Head) -> None:
    if head.format != FORMAT:
        raise BadInput(path, f"was made by another version (format {head.format}): make it again")
    here = tokenizer(head.tokenizer).name
    if here != head.tokenizer:
        raise BadInput(path, f"was made with tokenizer {head.tokenizer}, here it is {here}")
    if head.unicode != unicodedata.unidata_version:
        what = f"Unicode {head.unicode}, this Python has {unicodedata.unidata_version}"
        raise BadInput(path, f"was made with {what}: make it again")


def _check(path: str, index: Index) -> None:
    """Refuse arrays that point outside of what is there."""
    held = index.arrays
    wrong = any(held[name].ndim != 1 or held[name].dtype != kind for name, kind in _ARRAYS.items())
    grams, items = len(index), index.offsets[-1]
    entries = ("starts", "sizes", "lengths", "hashes")
    wrong = wrong or any(held[name].size != grams for name in entries)
    wrong = wrong or len({held[name].size for name in ("grams", "items", "parts")}) > 1
    wrong = wrong or (grams > 0 and _outside(held, grams, items, index.head))
    members = index.head.members
    wrong = wrong or any(not 1 < one.n <= LONGEST for one in members)
    if wrong or not members or any(len(one.ids) != len(one.grams) for one in members):
        raise BadInput(path, "is no index of `hansproof index`, or is damaged")


def _outside(held: dict[str, NDArray[Any]], grams: int, items: int, head: Head) -> bool:
    sizes = {member.n for member in head.members} | ({SHINGLE} if head.near else set())
    ends = held["starts"] + held["sizes"]
    return bool(
        held["starts"].min() < 0
        or held["sizes"].min() < 1
        or not {*np.unique(held["lengths"]).tolist()} <= sizes
        or not 1 < min(sizes) <= max(sizes) <= LONGEST
        or ends.max() > held["text"].size
        or ends.min() < 1  # a sum too large for its number
        or (held["hashes"][1:] < held["hashes"][:-1]).any()
        or (held["grams"].size > 0 and (held["grams"].min() < 0 or held["grams"].max() >= grams))
        or (held["items"].size > 0 and (held["items"].min() < 0 or held["items"].max() >= items))
        or (np.diff(held["grams"]) < 0).any()
    )


LONGEST = 50  # words of an N-gram, so that hashes can roll
