"""Finds positions in a buffer of UTF-8 at which it can be cut without cutting a word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from .hits import trim_partial_chars
from .kernel import Bytes

_SPACES = (b" ", b"\n", b"\t", b"\r")


@dataclass(frozen=True, slots=True)
class WordBoundaries:
    """Cuts for the words of a tokenizer, and N-grams of up to `n_words` words."""

    pattern: re.Pattern[str]
    n_words: int

    def skip_word(self, raw: Bytes, begin: int, end: int) -> int:
        """Return the end of the word that `begin` is in the middle of."""
        match = self.pattern.match(text := decode_range(raw, begin, end))
        return begin + byte_size(text[: match.end()]) if match else begin

    def has_enough_words(self, raw: Bytes, position: int, end: int) -> bool:
        """Whether an N-gram that begins before a position certainly ends before `end`."""
        words = self.pattern.finditer(decode_range(raw, position, end))
        return sum(1 for _ in islice(words, self.n_words + 1)) > self.n_words  # one may be cut off

    def find_cut(self, raw: Bytes, begin: int, end: int, margin: int) -> int | None:
        """Return a position after a space, with enough words and `margin` bytes after it."""
        distance = margin
        while (last := end - distance) > begin:
            low = max(begin, last - distance)
            window = raw[low:last].tobytes()
            position = max(window.rfind(space) for space in _SPACES)
            if position >= 0 and self.has_enough_words(raw, low + position + 1, end):
                return low + position + 1
            distance *= 2
        return None

    def find_context_start(self, raw: Bytes, position: int, begin: int) -> int:
        """Return the start of a word after a space, an N-gram or more before a position."""
        size = 32 * self.n_words
        while (low := position - size) > begin:
            text = decode_range(raw, low, position)
            starts = [match.start() for match in self.pattern.finditer(text)]
            for start in reversed(starts[1 : -self.n_words]):
                if text[start - 1] in " \n\t\r":
                    return low + byte_size(text[:start])
            size *= 2
        return begin

    def find_context_end(self, raw: Bytes, position: int, end: int) -> int:
        """Return the start of a word after a space, an N-gram or more after a position."""
        size = 32 * self.n_words
        while (high := position + size) < end:
            text = decode_range(raw, position, high)
            starts = [match.start() for match in self.pattern.finditer(text)]
            for start in starts[self.n_words + 2 :]:
                if text[start - 1] in " \n\t\r":
                    return position + byte_size(text[:start])
            size *= 2
        return end


def decode_range(raw: Bytes, begin: int, end: int) -> str:
    """Decode bytes so that `byte_size` of the text is the number of bytes."""
    return raw[begin:end].tobytes().decode("utf-8", "surrogateescape")


def byte_size(text: str) -> int:
    """Return the number of bytes that a text was decoded from."""
    return len(text.encode("utf-8", "surrogateescape"))


def last_complete_char(raw: Bytes, begin: int, end: int) -> int:
    """Return `end`, or the start of the character that it would cut in two."""
    tail_start = max(begin, end - 4)
    _, tail = trim_partial_chars(b" " + raw[tail_start:end].tobytes())
    return tail_start + len(tail) - 1


def cluster_positions(positions: list[int], gap: int) -> list[tuple[int, int]]:
    """Return the first and last of positions that are at most `gap` apart."""
    clusters: list[tuple[int, int]] = []
    for position in positions:
        if clusters and position - clusters[-1][1] <= gap:
            clusters[-1] = clusters[-1][0], position
        else:
            clusters.append((position, position))
    return clusters
