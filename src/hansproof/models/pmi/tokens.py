"""Text of any length as words by number, in stretches that overlap.

A stretch has the words to be counted and, around them, enough of their neighbours; the next one
goes on where it ended. So what is counted does not depend on how long the stretches are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from re import Pattern

import numpy as np

from ...text import tokenizer
from .table import Ints

BATCH = 1 << 22  # characters turned into numbers at a time
NONE = -1  # the number of no word


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words by number, and by number the document or sentence that each stands in."""

    words: Ints
    parts: Ints
    low: int  # the first to be counted
    high: int  # the first that is not to be counted any more


@dataclass(slots=True)
class Reader:
    """Numbers words as they come: one that is known keeps its number."""

    known: dict[str, int]
    boundary: Pattern[str]  # where a part ends
    batch: int = BATCH

    def stretches(self, pieces: Iterable[str], margin: int) -> Iterator[Stretch]:
        """All words of a text, with so many neighbours on either side."""
        words, parts, low = np.empty(0, np.int64), np.empty(0, np.int64), 0
        for new in self._numbered(pieces, margin):
            words, parts = np.append(words, new[0]), np.append(parts, new[1])
            high = len(words) - margin
            if high > low:
                yield Stretch(words, parts, low, high)
                begin = max(0, high - margin)
                words, parts, low = words[begin:], parts[begin:], high - begin

    def _numbered(self, pieces: Iterable[str], margin: int) -> Iterator[tuple[Ints, Ints]]:
        """Words and parts by batch, and in the end nothing, as wide as a margin."""
        for texts, parts in self._batches(pieces):
            words, sizes = self._encoded(texts)
            yield words, np.repeat(parts, sizes)
        nothing = np.full(margin, NONE)
        yield nothing, nothing

    def _batches(self, pieces: Iterable[str]) -> Iterator[tuple[list[str], Ints]]:
        """Texts that no boundary parts, and the number of the part of each."""
        part, size = 0, 0
        texts: list[str] = []
        parts: list[int] = []
        for piece in pieces:
            cut = self.boundary.split(piece)
            texts += cut
            parts += range(part, part + len(cut))  # the first goes on with the part before
            part += len(cut) - 1
            size += len(piece)
            if size >= self.batch:
                yield texts, np.array(parts, np.int64)
                texts, parts, size = [], [], 0
        yield texts, np.array(parts, np.int64)

    def _encoded(self, texts: list[str]) -> tuple[Ints, Ints]:
        """The words of texts by number, and how many each text has."""
        from ...encode import encode

        found = encode(texts, tokenizer("word"))
        known = self.known
        numbers = [known.setdefault(word, len(known)) for word in found.vocabulary]
        return np.array(numbers, np.int64)[found.ids], np.diff(found.offsets)
