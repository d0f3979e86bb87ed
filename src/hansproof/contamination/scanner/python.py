"""The scanner in Python, for tokenizers that are not compiled: looks N-grams up one by one.

Documents are cut at line breaks into pieces, which are tokenized separately; N-grams may continue
from one piece into the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from ...corpus import ReadIssue
from ...text.ngrams import extract_ngrams
from ...text.tokenizers import get_tokenizer
from ..index import NgramIndex
from .hits import (
    CONTEXT,
    INVALID_UTF8,
    PASSAGE_SPAN,
    OpenPassage,
    PassageCollector,
    ScanHits,
    trim_partial_chars,
)  # fmt: skip
from .unicode_fallback import decode_with_errors

PIECE_SIZE = 1 << 20  # bytes
CONTEXT_SIZE = CONTEXT + PASSAGE_SPAN  # bytes of the previous piece that passages may show


class PythonIndex:
    """An index as a dictionary, which all scanners share."""

    def __init__(self, index: NgramIndex) -> None:
        self.tokenizer = get_tokenizer(index.header.tokenizer)
        self.numbers = {index.ngram_text(number): number for number in range(len(index))}
        self.sizes = sorted({*index.arrays["lengths"].tolist()} or {1})


@dataclass(slots=True)
class DocumentState:
    """A document: the text that is not scanned yet, and the last words before it."""

    document: int
    base: int  # offset of `raw` in the document's text
    raw: bytes = b""
    context: bytes = b""  # before `raw`
    words: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PythonScannerState:
    """The state of a Python scanner, from which another can resume."""

    scan_hits: ScanHits
    document_state: DocumentState | None
    open_passage: OpenPassage | None


class PythonScanner:
    """Scans documents in Python (see `base.Scanner`)."""

    def __init__(self, index: PythonIndex, shard: int = 0) -> None:
        self.scan_hits = ScanHits()
        self._index, self._shard = index, shard
        self._document_state: DocumentState | None = None
        self._collector = PassageCollector(shard, self.scan_hits)

    def start_document(self, document: int, offset: int = 0, begin: int | None = None) -> None:
        """Start a document; this scanner cannot start in the middle of one."""
        assert begin is None
        self._document_state = DocumentState(document, offset)
        self.scan_hits.documents += 1

    def feed(self, data: bytes | memoryview) -> None:
        """Add text to the document."""
        assert self._document_state is not None
        self._document_state.raw += data
        while len(self._document_state.raw) > PIECE_SIZE:
            window = self._document_state.raw[:PIECE_SIZE]
            front, text_bytes = trim_partial_chars(window)
            self._scan_piece(
                window.rfind(b"\n") + 1 or window.rfind(b" ") + 1 or front + len(text_bytes)
            )

    def stop_before(self, offset: int) -> None:
        """Not supported, as documents are not split into shards for this scanner."""
        raise AssertionError

    def end_document(self) -> None:
        """Scan the rest of the document."""
        assert self._document_state is not None
        self._scan_piece(len(self._document_state.raw))
        self._document_state = None

    def finish(self) -> ScanHits:
        """End an open document, and return all hits."""
        if self._document_state is not None:
            self.end_document()
        self._collector.close_passage()
        self.scan_hits.prune_passages()
        return self.scan_hits

    def dump_state(self) -> bytes:
        """Return the state as JSON."""
        return msgspec.json.encode(
            PythonScannerState(self.scan_hits, self._document_state, self._collector.open_passage)
        )

    def restore_state(self, data: bytes) -> None:
        """Resume from a state."""
        state = msgspec.json.decode(data, type=PythonScannerState)
        self.scan_hits, self._document_state = state.scan_hits, state.document_state
        self._collector = PassageCollector(self._shard, self.scan_hits)
        self._collector.open_passage = state.open_passage

    def bytes_around(self, start: int, end: int) -> tuple[int, bytes]:
        """Return bytes of the current piece and of the context before it, and where they begin."""
        low = max(0, start - self._base)
        front, text_bytes = trim_partial_chars(self._piece[low : max(low, end - self._base)])
        return self._base + low + front, text_bytes

    def _scan_piece(self, size: int) -> None:
        """Look up the N-grams that end in the next `size` bytes."""
        document = self._document_state
        assert document is not None
        piece = document.raw[:size]
        self._piece, self._base = document.context + piece, document.base - len(document.context)
        text, invalid = decode_with_errors(piece)
        if invalid:
            n_invalid = sum(stop - start for start, stop in invalid)
            first = document.base + invalid[0][0]
            self.scan_hits.add_issue(
                ReadIssue(INVALID_UTF8, first, n_invalid, shard=self._shard, text_lost=False)
            )
        n_old = len(document.words)
        words = self._index.tokenizer.split(text)
        document.words += words
        document.spans += _locate_words(text, words, document.base)
        self._collect_hits(document, n_old)
        self.scan_hits.words += len(words)
        self.scan_hits.bytes += size
        n_finished = max(0, len(document.words) - self._index.sizes[-1] + 1)
        document.words, document.spans = document.words[n_finished:], document.spans[n_finished:]
        document.raw, document.base = document.raw[size:], document.base + size
        document.context = self._piece[-CONTEXT_SIZE:]

    def _collect_hits(self, document: DocumentState, n_old: int) -> None:
        hits = []
        for n in self._index.sizes:
            for i, gram in enumerate(extract_ngrams(document.words, n)):
                number = self._index.numbers.get(gram)
                if number is not None and i + n > n_old:
                    hits.append((number, document.spans[i][0], document.spans[i + n - 1][1]))
        for hit in sorted(hits, key=lambda hit: (hit[1], hit[2], hit[0])):
            self._collector.add_hit(document.document, hit, self)


def _locate_words(text: str, words: list[str], base: int) -> list[tuple[int, int]]:
    """Return the spans of words in bytes; a word that cannot be located has an empty span."""
    lower_text = _lower_same_length(text)
    spans, cursor, position, consumed = [], 0, base, 0
    for word in words:
        start = lower_text.find(word, cursor)
        end = start + len(word)
        if start < 0:
            start = end = cursor
        position += len(text[consumed:start].encode())
        after = position + len(text[start:end].encode())
        spans.append((position, after))
        position, consumed, cursor = after, end, end
    return spans


def _lower_same_length(text: str) -> str:
    """Lower a text, except for characters whose lower case is longer."""
    lower_text = text.lower()
    if len(lower_text) == len(text):
        return lower_text
    return "".join(char if len(char.lower()) > 1 else char.lower() for char in text)
