"""Word vectors as text: `word v1 ... vd` on each line, as GloVe's are; also compressed with gzip.

A header with the number of words and the width of vectors is skipped. Words that contain a space,
or are not UTF-8, are skipped, too: published files have a few, which no tokenizer produces.
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

WidthAndVectors = tuple[int, dict[str, Vectors]]  # vectors by word, if they exist
NumberedLine = tuple[int, bytes]

FORM_MESSAGE = "is not of the form: word v1 v2 ..."
_BLOCK = 2**12  # lines parsed at a time
_DIGITS = 12  # of the number of words, at most


def read_words(path: str, words: set[str]) -> WidthAndVectors:
    """Read the vectors of some words; other lines, millions in large files, are not parsed."""
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
        if word == encoded:  # else it is the first part of a word with spaces
            vectors[by_bytes[encoded]] = vector
    if not width:
        raise BadInput(path, "is empty")
    return width, vectors


def read_table(path: str, max_words: int | None) -> VectorTable:
    """Read all words, or the first `max_words`."""
    lines = _numbered_lines(path)
    line_of: dict[str, int] = {}  # by word
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
    """Add a word with its line number; return whether the word is usable."""
    number, encoded = head
    try:
        word = encoded.decode()
    except UnicodeDecodeError:
        return False
    if word in line_of:
        raise BadInput(path, f"{word!r} already appears in line {line_of[word]}", line=number)
    if not is_usable(word):
        return False
    line_of[word] = number
    return True


def _parse_block(
    block: list[NumberedLine], width: int
) -> tuple[list[NumberedLine], Vectors] | None:
    """Parse lines at once, which is fast; None if anything about one of them is unusual."""
    lines = [line.rstrip() for _, line in block]
    if any(line.count(b" ") != width for line in lines):
        return None
    halves = [line.partition(b" ") for line in lines]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy only warns of text that is not a number
            rows = np.fromstring(b" ".join(half[2] for half in halves), np.float32, sep=" ")
    except (ValueError, DeprecationWarning):
        return None
    # no line has more than `width` numbers: if the sum is right, each line has `width`
    if rows.size != len(lines) * width or not np.isfinite(rows).all():
        return None
    heads = [(number, half[0]) for (number, _), half in zip(block, halves, strict=True)]
    return heads, rows.reshape(-1, width)


def _parse_lines(
    path: str, block: list[NumberedLine], width: int
) -> tuple[list[NumberedLine], Vectors]:
    """Parse lines one by one, so that errors can name the line."""
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
    """Yield the numbered lines of a file, without the header `words width` of some files."""
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
        raise BadInput(path, f"ends after {number - 1} of {n_declared} words")


def _open_file(path: str) -> io.BufferedIOBase:
    return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb")


def _declared_count(line: bytes) -> int:
    """Return the number of words that a header declares; 0 if the line is not a header."""
    parts = line.split()
    header = len(parts) == 2 and all(part.isdigit() and len(part) < _DIGITS for part in parts)
    return int(parts[0]) if header else 0


def _vector_width(path: str, line: bytes, number: int) -> int:
    """Return how many numbers the first line has; all lines must have as many."""
    numbers = line.rstrip().split(b" ")[1:]
    if len(numbers) < 2:
        raise BadInput(path, FORM_MESSAGE, line=number)
    return len(_parse_vector(path, numbers, number))


def _parse_line(path: str, line: bytes, number: int, width: int) -> tuple[bytes, Vectors]:
    """Return the word of a line, and its vector."""
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
        raise BadInput(path, "contains a number that is not finite", line=line)
    return vector
