"""Words that have to be read by Python: with rare capitals, or broken.

Twenty-six characters have a lower case that is longer or shorter than they are, or hangs on what
stands around them; and to a tokenizer that parts text at blanks, bytes that are no UTF-8 are
U+FFFD. Hits are given by where they stand in the bytes as they came.
"""

from __future__ import annotations

import codecs
from threading import Lock

import numpy as np

from .fold import lowered
from .kernel import FULL, PAD, Grams, Longs, scan

Hit = tuple[int, int, int]  # N-gram, start, end


class Strange:
    """Reads a text as Python does, and scans what it reads."""

    def __init__(self, tokenizer: str, grams: Grams) -> None:
        self._word = tokenizer == "word"
        self._folding = lowered(tokenizer)
        self._grams = grams

    def hits(self, raw: bytes) -> list[Hit]:
        """All hits in some bytes, which begin and end where words do."""
        text, broken = decoded(raw)
        hits = self._scan((text.lower() if self._word else text).encode())
        if not hits:
            return []
        old_at = _starts(_sizes(text, broken))
        small = [char.lower() for char in text] if self._word else [*text]
        new_at = _starts(np.array([len(char.encode()) for char in small], np.int64))
        return [
            (gram, _back(start, new_at, old_at), _back(end, new_at, old_at))
            for gram, start, end in hits
        ]

    def _scan(self, raw: bytes) -> list[Hit]:
        buffer = np.frombuffer(raw + b"\0" * PAD, np.uint8).copy()
        low = buffer.copy() if self._word else buffer
        regions = np.array([[0, len(raw), len(raw)]], np.int64)
        hits, odds = np.zeros((256, 3), np.int64), np.zeros((0, 2), np.int64)
        broken = np.zeros((1, 2), np.int64)
        while True:
            count, _, _ = scan(
                buffer, low, regions, self._word, self._folding, self._grams, hits, odds, broken
            )
            if count != FULL:
                return [(gram, start, end) for gram, start, end in hits[:count].tolist()]
            hits = np.zeros((4 * len(hits), 3), np.int64)


_NOTED = "hansproof.noted"
_naming = Lock()


def decoded(raw: bytes) -> tuple[str, list[tuple[int, int]]]:
    """Bytes read as UTF-8, and the runs in place of which stands U+FFFD."""
    broken: list[tuple[int, int]] = []

    def note(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        broken.append((error.start, error.end))
        return "\ufffd", error.end

    with _naming:  # handlers are known by name, to all threads
        codecs.register_error(_NOTED, note)
        return raw.decode("utf-8", _NOTED), broken


def _sizes(text: str, broken: list[tuple[int, int]]) -> Longs:
    """How many bytes each character was read from."""
    sizes = np.array([len(char.encode()) for char in text], np.int64)
    if broken:
        starts = np.array([start for start, _ in broken])
        lengths = np.array([end - start for start, end in broken])
        # before the k-th run every earlier one took 3 bytes of U+FFFD instead of its own
        shifts = np.concatenate([[0], np.cumsum(3 - lengths)[:-1]])
        sizes[np.searchsorted(np.cumsum(sizes), starts + shifts, side="right")] = lengths
    return sizes


def _starts(sizes: Longs) -> Longs:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _back(at: int, new_at: Longs, old_at: Longs) -> int:
    """Where in the bytes as they came; within a character that became several, behind it."""
    return int(old_at[np.searchsorted(new_at, at)])
