"""Looks up word vectors of a source, some or all, and caches them while the files are unchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np

from .._infra import hashing
from ..errors import BadInput
from . import array_files, glove_package, text_file
from .sources import PACKAGE, source_paths
from .table import Vectors, VectorTable, check_words
from .text_file import WidthAndVectors

Files = tuple[str, ...]


@dataclass(slots=True)
class _LookupCache:
    """The words that were looked up in a source so far, and their vectors."""

    requested: set[str] = field(default_factory=set)
    width: int = 0
    vectors: dict[str, Vectors] = field(default_factory=dict)


def lookup_vectors(source: str, words: Iterable[str]) -> WidthAndVectors:
    """Return the width of a source's vectors, and the vectors of the words that it contains.

    Vectors are cached for the life of the process; a large file is read again only for new words.
    """
    files = source_paths(source)
    memory = _lookup_cache(files, hashing.mtimes(files))
    requested = set(words)
    new = requested - memory.requested
    if new or not memory.width:
        memory.width, vectors = _lookup_uncached(source, files, new)
        memory.vectors |= vectors
        memory.requested |= new
    return memory.width, {word: memory.vectors[word] for word in requested & memory.vectors.keys()}


def matrix_for(source: str, words: Sequence[str], seed: int) -> Vectors:
    """Return a vector for each word: a random one, fixed by seed and word, if it has none."""
    width, vectors = lookup_vectors(source, words)
    matrix = np.zeros((len(words), width), np.float32)
    for i, word in enumerate(words):
        matrix[i] = vectors[word] if word in vectors else _random_vector(word, width, seed)
    return matrix


def load_table(source: str, max_words: int | None = None) -> VectorTable:
    """Load all vectors of a source, or those of its first words; the last table is cached."""
    if max_words is not None and max_words < 1:
        raise BadInput("most", f"is {max_words}, must be at least 1")
    files = source_paths(source)
    return _load_table(source, files, hashing.mtimes(files), max_words)


def _random_vector(word: str, width: int, seed: int) -> Vectors:
    word_hash = hashlib.sha256(word.encode(errors="surrogatepass")).digest()
    rng = np.random.default_rng([seed, int.from_bytes(word_hash[:8])])
    return rng.standard_normal(width, dtype=np.float32)


@cache
def _lookup_cache(files: Files, stamps: tuple[int, ...]) -> _LookupCache:
    return _LookupCache()


def _lookup_uncached(source: str, files: Files, words: set[str]) -> WidthAndVectors:
    loaded = _load_arrays(source, files)
    if loaded is None:
        return text_file.read_words(files[0], words)
    names, vectors = loaded
    row_of = {name: row for row, name in enumerate(names) if name in words}
    return vectors.shape[1], {
        word: np.array(vectors[row], np.float32) for word, row in row_of.items()
    }


@lru_cache(maxsize=1)
def _load_table(
    source: str, files: Files, stamps: tuple[int, ...], max_words: int | None
) -> VectorTable:
    loaded = _load_arrays(source, files)
    if loaded is None:
        return text_file.read_table(files[0], max_words)
    names, vectors = loaded
    check_words(files[0], names)
    if not names:
        raise BadInput(files[0], "is empty")
    return VectorTable(tuple(names[:max_words]), np.array(vectors[:max_words], np.float32))


def _load_arrays(source: str, files: Files) -> array_files.WordArrays | None:
    """Load words and vectors from a file of arrays; None for a text file."""
    if source == PACKAGE:
        return glove_package.read_package(files)
    return array_files.read_arrays(files[0]) if files[0].endswith(array_files.EXTENSIONS) else None
