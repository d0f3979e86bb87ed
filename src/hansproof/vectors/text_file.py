"""Word vectors as text: `word v1 ... vd` by line, as GloVe's are; also packed with gzip.

A first line that says how many words there are and how long their vectors is passed over. A word
with a blank in it, or that is no UTF-8, is one that no tokenizer gives: published files have a few,
and they are left out.
"""

from __future__ import annotations

import gzip
import io
import warnings
import zlib
from collections.abc import Iterator
from itertools import islice

import numpy as np

from ..errors import BadInput
from .table import Table, Vectors, usable

Found = tuple[int, dict[str, Vectors]]  # how long a vector is, and those of the words that have one
Line = tuple[int, bytes]  # with its number

FORM = "is not of the form: word v1 v2 ..."
_BLOCK = 2**12  # lines parsed at once
_DIGITS = 12  # of a number of words, at most


def some(path: str, words: set[str]) -> Found:
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
        word, vector = _parsed(path, line, number, width)
        if word == head:  # else it is the first part of a word with blanks
            found[wanted[head]] = vector
    if not width:
        raise BadInput(path, "is empty")
    return width, found


def whole(path: str, most: int | None) -> Table:
    """All words, or the first of them."""
    lines = _lines(path)
    at: dict[str, int] = {}  # word -> its line
    blocks: list[Vectors] = []
    width = 0
    while block := list(islice(lines, _BLOCK if most is None else min(_BLOCK, most - len(at)))):
        width = width or _width(path, block[0][1], block[0][0])
        heads, rows = _at_once(block, width) or _one_by_one(path, block, width)
        kept = [row for row, head in enumerate(heads) if _new(path, head, at)]
        blocks.append(rows if len(kept) == len(rows) else rows[kept])
    if not at:
        raise BadInput(path, "is empty")
    return Table(tuple(at), np.concatenate(blocks))


def _new(path: str, head: Line, at: dict[str, int]) -> bool:
    """Take down a word and its line; whether it is one that can be used."""
    number, encoded = head
    try:
        word = encoded.decode()
    except UnicodeDecodeError:
        return False
    if word in at:
        raise BadInput(path, f"{word!r} stands in line {at[word]} already", line=number)
    if not usable(word):
        return False
    at[word] = number
    return True


def _at_once(block: list[Line], width: int) -> tuple[list[Line], Vectors] | None:
    """The words and vectors of lines; None where anything about one of them is unusual."""
    lines = [line.rstrip() for _, line in block]
    if any(line.count(b" ") != width for line in lines):
        return None
    halves = [line.partition(b" ") for line in lines]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy only warns of what is no number
            rows = np.fromstring(b" ".join(half[2] for half in halves), np.float32, sep=" ")
    except (ValueError, DeprecationWarning):
        return None
    # no line has more than `width` numbers: where all are there, each line has its own
    if rows.size != len(lines) * width or not np.isfinite(rows).all():
        return None
    heads = [(number, half[0]) for (number, _), half in zip(block, halves, strict=True)]
    return heads, rows.reshape(-1, width)


def _one_by_one(path: str, block: list[Line], width: int) -> tuple[list[Line], Vectors]:
    """The same, slowly: so that a line that is wrong can be named."""
    heads: list[Line] = []
    rows: list[Vectors] = []
    for number, line in block:
        if not line.strip():
            continue
        word, row = _parsed(path, line, number, width)
        if b" " in word and _is_number(word.rpartition(b" ")[2]):
            raise BadInput(path, f"has more than {width} numbers", line=number)
        heads.append((number, word))
        rows.append(row)
    return heads, np.array(rows, np.float32).reshape(-1, width)


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _lines(path: str) -> Iterator[Line]:
    """The numbered lines of a file, without the `words width` that some files begin with."""
    promised, number = 0, 1
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                if number == 1 and (promised := _promised(line)):
                    continue
                yield number, line
    except (EOFError, OSError, zlib.error) as error:
        raise BadInput(path, f"cannot be read: {error}") from None
    if number - 1 < promised:
        raise BadInput(path, f"breaks off after {number - 1} of {promised} words")


def _open(path: str) -> io.BufferedIOBase:
    return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")


def _promised(line: bytes) -> int:
    """How many words the first line says there are; nil if it is one of them."""
    parts = line.split()
    header = len(parts) == 2 and all(part.isdigit() and len(part) < _DIGITS for part in parts)
    return int(parts[0]) if header else 0


def _width(path: str, line: bytes, number: int) -> int:
    """How many numbers the first line has; it is the pattern for the others."""
    numbers = line.rstrip().split(b" ")[1:]
    if len(numbers) < 2:
        raise BadInput(path, FORM, line=number)
    return len(_vector(path, numbers, number))


def _parsed(path: str, line: bytes, number: int, width: int) -> tuple[bytes, Vectors]:
    """The word of a line, and its vector."""
    word, *numbers = line.rstrip().rsplit(b" ", width)
    if len(numbers) < width:
        raise BadInput(path, f"has {len(numbers)} numbers, not {width}", line=number)
    return word, _vector(path, numbers, number)


def _vector(path: str, numbers: list[bytes], line: int) -> Vectors:
    try:
        with np.errstate(over="ignore"):
            vector = np.array([float(number) for number in numbers], np.float32)
    except ValueError:
        raise BadInput(path, FORM, line=line) from None
    if not np.isfinite(vector).all():
        raise BadInput(path, "holds a number that is not finite", line=line)
    return vector
