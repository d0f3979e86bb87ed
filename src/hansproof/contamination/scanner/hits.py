"""The hits of a scan: counts of N-grams, and some passages that contain them.

For each N-gram the first passages are kept, in the order of the corpus, not of time: the result
does not depend on the order in which shards are scanned, and memory is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from ...corpus import ReadIssue

MAX_PASSAGES = 3  # of an N-gram
PASSAGE_SPAN = 1000  # bytes after the first hit of a passage in which hits belong to it
MIN_KEPT = 1000  # passages that are kept without pruning
CONTEXT = 300  # bytes of a passage before its first hit and after its span
INVALID_UTF8 = "bytes that are not UTF-8, read as U+FFFD"


@dataclass(slots=True)
class ShardPassage:
    """A stretch of text that contains N-grams."""

    shard: int  # number of the shard
    document: int  # in that shard
    start: int  # of the first hit: bytes in the document's text
    text: str
    hits: list[tuple[int, int, int]]  # N-gram, start and end in characters of `text`

    def sort_key(self) -> tuple[int, int, int]:
        """Return the position of the passage in the corpus."""
        return self.shard, self.document, self.start

    def ngram_numbers(self) -> set[int]:
        """Return the numbers of the N-grams in it."""
        return {gram for gram, _, _ in self.hits}


@dataclass(slots=True)
class ScanHits:
    """Counts and passages of a shard, or of several."""

    words: int = 0
    documents: int = 0
    records_read: int = 0  # lines, rows or records, with those that were skipped
    bytes: int = 0  # of decompressed text
    counts: dict[int, int] = field(default_factory=dict)  # by N-gram
    passages: list[ShardPassage] = field(default_factory=list)
    issues: list[ReadIssue] = field(default_factory=list)
    n_after_pruning: int = MIN_KEPT  # passages that were left at the last pruning

    def merge(self, other: ScanHits) -> None:
        """Add the hits of another shard."""
        self.words += other.words
        self.documents += other.documents
        self.records_read += other.records_read
        self.bytes += other.bytes
        for gram, count in other.counts.items():
            self.counts[gram] = self.counts.get(gram, 0) + count
        self.passages += other.passages
        self.issues += other.issues
        if len(self.passages) > 2 * self.n_after_pruning:
            self.prune_passages()

    def count_hits(self) -> int:
        """Return the number of hits of all N-grams."""
        return sum(self.counts.values())

    def add_issue(self, issue: ReadIssue) -> None:
        """Add an issue; merge it with an earlier one of the same kind."""
        if not any(earlier.try_merge(issue) for earlier in self.issues):
            self.issues.append(issue)

    def prune_passages(self) -> None:
        """Drop passages whose N-grams all have enough earlier passages."""
        self.passages = select_first(self.passages)
        self.n_after_pruning = max(MIN_KEPT, len(self.passages))


def select_first(passages: Iterable[ShardPassage]) -> list[ShardPassage]:
    """Return the first passages of each N-gram; pruning earlier or later gives the same."""
    counts: Counter[int] = Counter()
    selected = []
    for passage in sorted(passages, key=ShardPassage.sort_key):
        grams = passage.ngram_numbers()
        if any(counts[gram] < MAX_PASSAGES for gram in grams):
            selected.append(passage)
        counts.update(grams)
    return selected


@dataclass(slots=True)
class OpenPassage:
    """A passage to which more hits may be added, with its bytes and their offset."""

    passage: ShardPassage
    base: int
    raw: bytes


class PassageCollector:
    """Collects hits into passages."""

    def __init__(self, shard: int, scan_hits: ScanHits) -> None:
        self.open_passage: OpenPassage | None = None
        self._shard, self._scan_hits = shard, scan_hits

    def add_hit(self, document: int, hit: tuple[int, int, int], window: ByteWindow) -> None:
        """Add a hit to the open passage, or to a new one."""
        gram, start, end = hit
        self._scan_hits.counts[gram] = self._scan_hits.counts.get(gram, 0) + 1
        open_passage = self.open_passage
        if (
            open_passage is None
            or open_passage.passage.document != document
            or start > open_passage.passage.start + PASSAGE_SPAN
        ):
            self.close_passage()
            base, raw = window.bytes_around(start - CONTEXT, start + PASSAGE_SPAN + CONTEXT)
            open_passage = self.open_passage = OpenPassage(
                ShardPassage(self._shard, document, start, "", []), base, raw
            )
        open_passage.passage.hits.append(
            (gram, max(0, start - open_passage.base), max(0, end - open_passage.base))
        )

    def close_passage(self) -> None:
        """Finish the open passage: decode its text, and convert positions to characters."""
        open_passage, self.open_passage = self.open_passage, None
        if open_passage is None:
            return
        chars, before, count = {}, 0, 0
        for offset in sorted({offset for _, *ends in open_passage.passage.hits for offset in ends}):
            count += len(open_passage.raw[before:offset].decode("utf-8", "replace"))
            chars[offset], before = count, offset
        open_passage.passage.text = open_passage.raw.decode("utf-8", "replace")
        open_passage.passage.hits = [
            (gram, chars[a], chars[b]) for gram, a, b in open_passage.passage.hits
        ]
        self._scan_hits.passages.append(open_passage.passage)
        if len(self._scan_hits.passages) > 2 * self._scan_hits.n_after_pruning:
            self._scan_hits.prune_passages()


class ByteWindow(Protocol):
    """The part of a document that is in memory."""

    def bytes_around(self, start: int, end: int) -> tuple[int, bytes]:
        """Return the bytes between two offsets, as far as available, and where they begin."""
        ...


def trim_partial_chars(raw: bytes) -> tuple[int, bytes]:
    """Remove cut characters at both ends; return the number of bytes at the front, and the rest."""
    front = 0
    while front < min(3, len(raw)) and raw[front] & 0xC0 == 0x80:
        front += 1
    back = len(raw)
    for size in range(1, min(4, len(raw) - front + 1)):
        lead = raw[len(raw) - size]
        if lead >= 0xC0:
            back -= size if size < (2 if lead < 0xE0 else 3 if lead < 0xF0 else 4) else 0
            break
        if lead < 0x80:
            break
    return front, raw[front:back]
