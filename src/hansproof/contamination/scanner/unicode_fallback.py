"""Scans text that the kernel cannot fold in place, after Python has decoded and lowered it.

Twenty-six characters have a lower case of another size, or one that depends on their neighbours;
and the tokenizer `whitespace` reads invalid bytes as U+FFFD. Hits are converted back to positions
in the original bytes.
"""

from __future__ import annotations

import codecs
from threading import Lock

import numpy as np

from .case_folding import lower_table
from .kernel import FULL, PAD, Longs, NgramLookup, scan_regions

ByteHit = tuple[int, int, int]  # N-gram, start, end


class UnicodeFallback:
    """Finds the hits in bytes with irregular characters."""

    def __init__(self, tokenizer: str, lookup: NgramLookup) -> None:
        self._by_word = tokenizer == "word"
        self._fold_table = lower_table(tokenizer)
        self._lookup = lookup

    def find_hits(self, raw: bytes) -> list[ByteHit]:
        """Return all hits in bytes that begin and end at word boundaries."""
        text, invalid = decode_with_errors(raw)
        hits = self._scan_bytes((text.lower() if self._by_word else text).encode())
        if not hits:
            return []
        raw_starts = _cumulative_starts(_char_sizes(text, invalid))
        lower_chars = [char.lower() for char in text] if self._by_word else [*text]
        text_starts = _cumulative_starts(
            np.array([len(char.encode()) for char in lower_chars], np.int64)
        )
        return [
            (
                gram,
                _to_raw_offset(start, text_starts, raw_starts),
                _to_raw_offset(end, text_starts, raw_starts),
            )
            for gram, start, end in hits
        ]

    def _scan_bytes(self, raw: bytes) -> list[ByteHit]:
        buffer = np.frombuffer(raw + b"\0" * PAD, np.uint8).copy()
        lowered = buffer.copy() if self._by_word else buffer
        regions = np.array([[0, len(raw), len(raw)]], np.int64)
        hits, irregular = np.zeros((256, 3), np.int64), np.zeros((0, 2), np.int64)
        invalid = np.zeros((1, 2), np.int64)
        while True:
            n_hits, _, _ = scan_regions(
                buffer, lowered, regions, self._by_word, self._fold_table, self._lookup, hits,
                irregular, invalid,
            )  # fmt: skip
            if n_hits != FULL:
                return [(gram, start, end) for gram, start, end in hits[:n_hits].tolist()]
            hits = np.zeros((4 * len(hits), 3), np.int64)


_HANDLER_NAME = "hansproof.noted"
_handler_lock = Lock()


def decode_with_errors(raw: bytes) -> tuple[str, list[tuple[int, int]]]:
    """Decode UTF-8; return the text and the spans of bytes that were replaced by U+FFFD."""
    invalid: list[tuple[int, int]] = []

    def record_error(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        invalid.append((error.start, error.end))
        return "\ufffd", error.end

    with _handler_lock:  # error handlers are global
        codecs.register_error(_HANDLER_NAME, record_error)
        return raw.decode("utf-8", _HANDLER_NAME), invalid


def _char_sizes(text: str, invalid: list[tuple[int, int]]) -> Longs:
    """Return the number of bytes that each character was decoded from."""
    sizes = np.array([len(char.encode()) for char in text], np.int64)
    if invalid:
        starts = np.array([start for start, _ in invalid])
        lengths = np.array([end - start for start, end in invalid])
        # each earlier span is counted with the 3 bytes of U+FFFD instead of its own size
        shifts = np.concatenate([[0], np.cumsum(3 - lengths)[:-1]])
        sizes[np.searchsorted(np.cumsum(sizes), starts + shifts, side="right")] = lengths
    return sizes


def _cumulative_starts(sizes: Longs) -> Longs:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _to_raw_offset(offset: int, text_starts: Longs, raw_starts: Longs) -> int:
    """Convert an offset in the lowered text to one in the original bytes."""
    return int(raw_starts[np.searchsorted(text_starts, offset)])
