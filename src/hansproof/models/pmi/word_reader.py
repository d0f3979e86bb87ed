"""Reads text of any length as numbered words, in overlapping chunks.

A chunk has words to be counted and, around them, a margin of neighbours; the next chunk continues
where it ended. So counts do not depend on the size of chunks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from re import Pattern

import numpy as np

from ...text.tokenizers import get_tokenizer
from .table import Ints

BATCH = 1 << 22  # characters of a batch
NO_WORD = -1  # in place of a word's number


@dataclass(frozen=True, slots=True)
class WordChunk:
    """Numbers of words, and for each the number of its document or sentence."""

    words: Ints
    part_ids: Ints
    low: int  # the first word to be counted
    high: int  # the first word after these


@dataclass(slots=True)
class WordReader:
    """Numbers words in order of appearance, from a vocabulary that grows."""

    vocabulary: dict[str, int]
    boundary: Pattern[str]  # where a part ends
    batch: int = BATCH

    def read_chunks(self, pieces: Iterable[str], margin: int) -> Iterator[WordChunk]:
        """Yield all words of a text, with `margin` neighbours on either side."""
        words, part_ids, low = np.empty(0, np.int64), np.empty(0, np.int64), 0
        for numbered in self._number_words(pieces, margin):
            words, part_ids = np.append(words, numbered[0]), np.append(part_ids, numbered[1])
            high = len(words) - margin
            if high > low:
                yield WordChunk(words, part_ids, low, high)
                begin = max(0, high - margin)
                words, part_ids, low = words[begin:], part_ids[begin:], high - begin

    def _number_words(self, pieces: Iterable[str], margin: int) -> Iterator[tuple[Ints, Ints]]:
        """Yield word and part numbers by batch, and in the end a margin of NO_WORD."""
        for texts, part_ids in self._batch_texts(pieces):
            words, sizes = self._encode_texts(texts)
            yield words, np.repeat(part_ids, sizes)
        padding = np.full(margin, NO_WORD)
        yield padding, padding

    def _batch_texts(self, pieces: Iterable[str]) -> Iterator[tuple[list[str], Ints]]:
        """Yield batches of texts without a boundary, and the number of the part of each."""
        part, size = 0, 0
        texts: list[str] = []
        part_ids: list[int] = []
        for piece in pieces:
            sections = self.boundary.split(piece)
            texts += sections
            part_ids += range(part, part + len(sections))  # the first continues a part
            part += len(sections) - 1
            size += len(piece)
            if size >= self.batch:
                yield texts, np.array(part_ids, np.int64)
                texts, part_ids, size = [], [], 0
        yield texts, np.array(part_ids, np.int64)

    def _encode_texts(self, texts: list[str]) -> tuple[Ints, Ints]:
        """Return the numbers of the words of texts, and how many words each text has."""
        from ...text.encoding import encode_texts

        encoding = encode_texts(texts, get_tokenizer("word"))
        vocabulary = self.vocabulary
        numbers = [vocabulary.setdefault(word, len(vocabulary)) for word in encoding.vocabulary]
        return np.array(numbers, np.int64)[encoding.ids], np.diff(encoding.offsets)
