"""What a scan has found so far: how often each N-gram, and some of the passages to read.

Of every N-gram the first passages are kept, by their order in the corpus, not in time: so the
same is left whatever was scanned first, by however many, and memory has a bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from ..corpus import Problem

KEPT = 3  # passages of an N-gram
SPAN = 1000  # bytes after its first hit in which further hits belong to a passage
LEAST = 1000  # passages that are kept before it is looked which are needed
AROUND = 300  # bytes shown before and after these
BROKEN = "bytes that are no UTF-8, read as U+FFFD"


@dataclass(slots=True)
class Passage:
    """A stretch of text with N-grams in it."""

    unit: int  # part of the corpus, in order
    document: int  # in that part
    start: int  # of the first hit: bytes in the document's text
    text: str
    hits: list[tuple[int, int, int]]  # N-gram, start and end in characters of `text`

    def place(self) -> tuple[int, int, int]:
        """Where it stands among others."""
        return self.unit, self.document, self.start

    def grams(self) -> set[int]:
        """The N-grams in it."""
        return {gram for gram, _, _ in self.hits}


@dataclass(slots=True)
class Tally:
    """Counts and passages of a part of a corpus, or of all of it."""

    words: int = 0
    documents: int = 0
    numbered: int = 0  # lines, rows or records, those passed over with them
    bytes: int = 0  # of text, unpacked
    counts: dict[int, int] = field(default_factory=dict)  # by N-gram
    passages: list[Passage] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    kept: int = LEAST  # passages that were left when it was last looked which are needed

    def add(self, other: Tally) -> None:
        """Take in another part."""
        self.words += other.words
        self.documents += other.documents
        self.numbered += other.numbered
        self.bytes += other.bytes
        for gram, count in other.counts.items():
            self.counts[gram] = self.counts.get(gram, 0) + count
        self.passages += other.passages
        self.problems += other.problems
        if len(self.passages) > 2 * self.kept:
            self.prune()

    def hits(self) -> int:
        """How many N-grams stand there, each time counted."""
        return sum(self.counts.values())

    def tell(self, problem: Problem) -> None:
        """Something could not be read, or not as it stands."""
        if not any(known.add(problem) for known in self.problems):
            self.problems.append(problem)

    def prune(self) -> None:
        """Keep a passage only if some N-gram in it was not in enough passages before."""
        self.passages = first_of(self.passages)
        self.kept = max(LEAST, len(self.passages))


def first_of(passages: Iterable[Passage]) -> list[Passage]:
    """Those that are kept: which they are does not depend on when others went."""
    seen: Counter[int] = Counter()
    kept = []
    for passage in sorted(passages, key=Passage.place):
        grams = passage.grams()
        if any(seen[gram] < KEPT for gram in grams):
            kept.append(passage)
        seen.update(grams)
    return kept


@dataclass(slots=True)
class Held:
    """A passage to which further hits may come, its bytes, and where they begin."""

    passage: Passage
    base: int
    raw: bytes


class Collector:
    """Puts hits down in passages, as they come."""

    def __init__(self, unit: int, tally: Tally) -> None:
        self.held: Held | None = None
        self._unit, self._tally = unit, tally

    def take(self, document: int, hit: tuple[int, int, int], piece: Piece) -> None:
        """A hit, by where in the document it stands: in the passage before it or in a new one."""
        gram, start, end = hit
        self._tally.counts[gram] = self._tally.counts.get(gram, 0) + 1
        held = self.held
        if held is None or held.passage.document != document or start > held.passage.start + SPAN:
            self.close()
            base, raw = piece.around(start - AROUND, start + SPAN + AROUND)
            held = self.held = Held(Passage(self._unit, document, start, "", []), base, raw)
        held.passage.hits.append((gram, max(0, start - held.base), max(0, end - held.base)))

    def close(self) -> None:
        """No more hits belong to the passage: its text, and hits by their characters."""
        held, self.held = self.held, None
        if held is None:
            return
        chars, before, count = {}, 0, 0
        for at in sorted({at for _, *ends in held.passage.hits for at in ends}):
            count += len(held.raw[before:at].decode("utf-8", "replace"))
            chars[at], before = count, at
        held.passage.text = held.raw.decode("utf-8", "replace")
        held.passage.hits = [(gram, chars[a], chars[b]) for gram, a, b in held.passage.hits]
        self._tally.passages.append(held.passage)
        if len(self._tally.passages) > 2 * self._tally.kept:
            self._tally.prune()


class Piece(Protocol):
    """Text of a document that is at hand."""

    def around(self, start: int, end: int) -> tuple[int, bytes]:
        """Bytes of the document between two places, as far as they are there, and from where."""
        ...


def trimmed(raw: bytes) -> tuple[int, bytes]:
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
