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
from .table import Vectors, VectorTable, is_usable

WidthAndVectors = tuple[
    int, dict[str, Vectors]
]  # how long a vector is, and those of the words that have one
NumberedLine = tuple[int, bytes]  # with its number

FORM_MESSAGE = "is not of the form: word v1 v2 ..."
_BLOCK = 2**12  # lines parsed at once
_DIGITS = 12  # of a number of words, at most


def read_words(path: str, words: set[str]) -> WidthAndVectors:
    """Only lines that begin with a wanted word are parsed: a large file has two million others."""
    by_bytes = {word.encode(errors="surrogatepass"): word for word in words}
    vectors: dict[str, Vectors] = {}
    width = 0
    for number, line in _numbered_lines(path):
        if not width:
            width = _vector_width(path, line, number)
        encoded = line.partition(b" ")[0]
        if encoded not in by_bytes or by_bytes[encoded] in vectors:
            continue
        word, vector = _parse_line(path, line, number, width)
        if word == encoded:  # else it is the first part of a word with blanks
            vectors[by_bytes[encoded]] = vector
    if not width:
        raise BadInput(path, "is empty")
    return width, vectors


def read_table(path: str, max_words: int | None) -> VectorTable:
    """All words, or the first of them."""
    lines = _numbered_lines(path)
    line_of: dict[str, int] = {}  # word -> its line
    blocks: list[Vectors] = []
    width = 0
    while block := list(
        islice(lines, _BLOCK if max_words is None else min(_BLOCK, max_words - len(line_of)))
    ):
        width = width or _vector_width(path, block[0][1], block[0][0])
        heads, rows = _parse_block(block, width) or _parse_lines(path, block, width)
        usable_rows = [row for row, head in enumerate(heads) if _add_word(path, head, line_of)]
        blocks.append(rows if len(usable_rows) == len(rows) else rows[usable_rows])
    if not line_of:
        raise BadInput(path, "is empty")
    return VectorTable(tuple(line_of), np.concatenate(blocks))


def _add_word(path: str, head: NumberedLine, line_of: dict[str, int]) -> bool:
    """Take down a word and its line; whether it is one that can be used."""
    number, encoded = head
    try:
        word = encoded.decode()
    except UnicodeDecodeError:
        return False
    if word in line_of:
        raise BadInput(path, f"{word!r} stands in line {line_of[word]} already", line=number)
    if not is_usable(word):
        return False
    line_of[word] = number
    return True


def _parse_block(
    block: list[NumberedLine], width: int
) -> tuple[list[NumberedLine], Vectors] | None:
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


def _parse_lines(
    path: str, block: list[NumberedLine], width: int
) -> tuple[list[NumberedLine], Vectors]:
    """The same, slowly: so that a line that is wrong can be named."""
    heads: list[NumberedLine] = []
    rows: list[Vectors] = []
    for number, line in block:
        if not line.strip():
            continue
        word, row = _parse_line(path, line, number, width)
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


def _numbered_lines(path: str) -> Iterator[NumberedLine]:
    """The numbered lines of a file, without the `words width` that some files begin with."""
    n_declared, number = 0, 1
    try:
        with _open_file(path) as file:
            for number, line in enumerate(file, start=1):
                if number == 1 and (n_declared := _declared_count(line)):
                    continue
                yield number, line
    except (EOFError, OSError, zlib.error) as error:
        raise BadInput(path, f"cannot be read: {error}") from None
    if number - 1 < n_declared:
        raise BadInput(path, f"breaks off after {number - 1} of {n_declared} words")


def _open_file(path: str) -> io.BufferedIOBase:
    return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")


def _declared_count(line: bytes) -> int:
    """How many words the first line says there are; nil if it is one of them."""
    parts = line.split()
    header = len(parts) == 2 and all(part.isdigit() and len(part) < _DIGITS for part in parts)
    return int(parts[0]) if header else 0


def _vector_width(path: str, line: bytes, number: int) -> int:
    """How many numbers the first line has; it is the pattern for the others."""
    numbers = line.rstrip().split(b" ")[1:]
    if len(numbers) < 2:
        raise BadInput(path, FORM_MESSAGE, line=number)
    return len(_parse_vector(path, numbers, number))


def _parse_line(path: str, line: bytes, number: int, width: int) -> tuple[bytes, Vectors]:
    """The word of a line, and its vector."""
    word, *numbers = line.rstrip().rsplit(b" ", width)
    if len(numbers) < width:
        raise BadInput(path, f"has {len(numbers)} numbers, not {width}", line=number)
    return word, _parse_vector(path, numbers, number)


def _parse_vector(path: str, numbers: list[bytes], line: int) -> Vectors:
    try:
        with np.errstate(over="ignore"):
            vector = np.array([float(number) for number in numbers], np.float32)
    except ValueError:
        raise BadInput(path, FORM_MESSAGE, line=line) from None
    if not np.isfinite(vector).all():
        raise BadInput(path, "holds a number that is not finite", line=line)
    return vector
