"""Word vectors by word, for as long as their files stay as they are: some, or all of a source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np

from .. import digest
from ..errors import BadInput
from . import arrays, package, text_file
from .sources import PACKAGE, paths
from .table import Table, Vectors, check_words
from .text_file import Found

Files = tuple[str, ...]


@dataclass(slots=True)
class _Memory:
    """What was looked up in a source so far."""

    asked: set[str] = field(default_factory=set)
    width: int = 0
    found: dict[str, Vectors] = field(default_factory=dict)


def look_up(source: str, words: Iterable[str]) -> Found:
    """The width of a source's vectors, and the vectors of those words that it has.

    What was asked for is kept for the life of the process; a large file is read again only for
    words that are new.
    """
    files = paths(source)
    memory = _memory(files, digest.stamps(files))
    wanted = set(words)
    new = wanted - memory.asked
    if new or not memory.width:
        memory.width, found = _some(source, files, new)
        memory.found |= found
        memory.asked |= new
    return memory.width, {word: memory.found[word] for word in wanted & memory.found.keys()}


def rows(source: str, words: Sequence[str], seed: int) -> Vectors:
    """A vector for every word; normal numbers, the same for a seed and word, where it has none."""
    width, found = look_up(source, words)
    table = np.zeros((len(words), width), np.float32)
    for at, word in enumerate(words):
        table[at] = found[word] if word in found else _drawn(word, width, seed)
    return table


def whole(source: str, most: int | None = None) -> Table:
    """All vectors of a source, or those of its first words; the last table read is kept."""
    if most is not None and most < 1:
        raise BadInput("most", f"is {most}, must be at least 1")
    files = paths(source)
    return _whole(source, files, digest.stamps(files), most)


def _drawn(word: str, width: int, seed: int) -> Vectors:
    digest = hashlib.sha256(word.encode(errors="surrogatepass")).digest()
    draw = np.random.default_rng([seed, int.from_bytes(digest[:8])])
    return draw.standard_normal(width, dtype=np.float32)


@cache
def _memory(files: Files, stamps: tuple[int, ...]) -> _Memory:
    return _Memory()


def _some(source: str, files: Files, words: set[str]) -> Found:
    held = _arrays(source, files)
    if held is None:
        return text_file.some(files[0], words)
    names, vectors = held
    at = {name: row for row, name in enumerate(names) if name in words}
    return vectors.shape[1], {word: np.array(vectors[row], np.float32) for word, row in at.items()}


@lru_cache(maxsize=1)
def _whole(source: str, files: Files, stamps: tuple[int, ...], most: int | None) -> Table:
    held = _arrays(source, files)
    if held is None:
        return text_file.whole(files[0], most)
    names, vectors = held
    check_words(files[0], names)
    if not names:
        raise BadInput(files[0], "is empty")
    return Table(tuple(names[:most]), np.array(vectors[:most], np.float32))


def _arrays(source: str, files: Files) -> arrays.Arrays | None:
    """Words and vectors where they are held as arrays, and not as text."""
    if source == PACKAGE:
        return package.read(files)
    return arrays.read(files[0]) if files[0].endswith(arrays.KINDS) else None
