"""What a scan has found so far: how often each N-gram, and some of the passages to read.

Of every N-gram the first passages are kept, by their order in the corpus, not in time: so the
same is left whatever was scanned first, by however many, and memory has a bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from ...corpus import ReadIssue

MAX_PASSAGES = 3  # passages of an N-gram
PASSAGE_SPAN = 1000  # bytes after its first hit in which further hits belong to a passage
MIN_KEPT = 1000  # passages that are kept before it is looked which are needed
CONTEXT = 300  # bytes shown before and after these
INVALID_UTF8 = "bytes that are no UTF-8, read as U+FFFD"


@dataclass(slots=True)
class ShardPassage:
    """A stretch of text with N-grams in it."""

    shard: int  # part of the corpus, in order
    document: int  # in that part
    start: int  # of the first hit: bytes in the document's text
    text: str
    hits: list[tuple[int, int, int]]  # N-gram, start and end in characters of `text`

    def sort_key(self) -> tuple[int, int, int]:
        """Where it stands among others."""
        return self.shard, self.document, self.start

    def ngram_numbers(self) -> set[int]:
        """The N-grams in it."""
        return {gram for gram, _, _ in self.hits}


@dataclass(slots=True)
class ScanHits:
    """Counts and passages of a part of a corpus, or of all of it."""

    words: int = 0
    documents: int = 0
    records_read: int = 0  # lines, rows or records, those passed over with them
    bytes: int = 0  # of text, unpacked
    counts: dict[int, int] = field(default_factory=dict)  # by N-gram
    passages: list[ShardPassage] = field(default_factory=list)
    issues: list[ReadIssue] = field(default_factory=list)
    n_after_pruning: int = (
        MIN_KEPT  # passages that were left when it was last looked which are needed
    )

    def merge(self, other: ScanHits) -> None:
        """Take in another part."""
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
        """How many N-grams stand there, each time counted."""
        return sum(self.counts.values())

    def add_issue(self, issue: ReadIssue) -> None:
        """Something could not be read, or not as it stands."""
        if not any(earlier.try_merge(issue) for earlier in self.issues):
            self.issues.append(issue)

    def prune_passages(self) -> None:
        """Keep a passage only if some N-gram in it was not in enough passages before."""
        self.passages = select_first(self.passages)
        self.n_after_pruning = max(MIN_KEPT, len(self.passages))


def select_first(passages: Iterable[ShardPassage]) -> list[ShardPassage]:
    """Those that are kept: which they are does not depend on when others went."""
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
    """A passage to which further hits may come, its bytes, and where they begin."""

    passage: ShardPassage
    base: int
    raw: bytes


class PassageCollector:
    """Puts hits down in passages, as they come."""

    def __init__(self, shard: int, scan_hits: ScanHits) -> None:
        self.open_passage: OpenPassage | None = None
        self._shard, self._scan_hits = shard, scan_hits

    def add_hit(self, document: int, hit: tuple[int, int, int], window: ByteWindow) -> None:
        """A hit, by where in the document it stands: in the passage before it or in a new one."""
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
        """No more hits belong to the passage: its text, and hits by their characters."""
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
    """Text of a document that is at hand."""

    def bytes_around(self, start: int, end: int) -> tuple[int, bytes]:
        """Bytes of the document between two places, as far as they are there, and from where."""
        ...


def trim_partial_chars(raw: bytes) -> tuple[int, bytes]:
    """Without the halves of characters at either end; how many bytes went from the front."""
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
