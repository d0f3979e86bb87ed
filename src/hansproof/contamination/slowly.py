"""The same for tokenizers that are not compiled: N-grams looked up one by one, in Python.

Documents are cut at line breaks into pieces of a size, each of which the tokenizer sees for
itself; N-grams run on from one into the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from ..corpus import Problem
from ..text import ngrams, tokenizer
from .index import Index
from .strange import decoded
from .tally import AROUND, BROKEN, SPAN, Collector, Held, Tally, trimmed

PIECE = 1 << 20  # bytes
BEFORE = AROUND + SPAN  # bytes of the piece before that are shown with one


class SlowFinder:
    """An index made ready, shared by all that scan."""

    def __init__(self, index: Index) -> None:
        self.cut = tokenizer(index.head.tokenizer)
        self.known = {index.gram(number): number for number in range(len(index))}
        self.sizes = sorted({*index.arrays["lengths"].tolist()} or {1})


@dataclass(slots=True)
class Reading:
    """A document: text that is still to be looked at, and the last words before it."""

    document: int
    base: int
    raw: bytes = b""
    before: bytes = b""
    words: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SlowState:
    """All that it knows, to go on from."""

    tally: Tally
    reading: Reading | None
    held: Held | None


class Slowly:
    """Takes documents, piece by piece, and keeps a tally."""

    def __init__(self, finder: SlowFinder, unit: int = 0) -> None:
        self.tally = Tally()
        self._finder, self._unit = finder, unit
        self._reading: Reading | None = None
        self._collector = Collector(unit, self.tally)

    def start(self, document: int, offset: int = 0, begin: int | None = None) -> None:
        """A document; parts of one are not read for themselves."""
        assert begin is None
        self._reading = Reading(document, offset)
        self.tally.documents += 1

    def feed(self, data: bytes | memoryview) -> None:
        """More of the document."""
        assert self._reading is not None
        self._reading.raw += data
        while len(self._reading.raw) > PIECE:
            near = self._reading.raw[:PIECE]
            front, kept = trimmed(near)
            self._look(near.rfind(b"\n") + 1 or near.rfind(b" ") + 1 or front + len(kept))

    def until(self, offset: int) -> None:
        """Only for parts of documents."""
        raise AssertionError

    def end(self) -> None:
        """The document ends here."""
        assert self._reading is not None
        self._look(len(self._reading.raw))
        self._reading = None

    def finish(self) -> Tally:
        """All is read, or all that could be: what was found."""
        if self._reading is not None:
            self.end()
        self._collector.close()
        self.tally.prune()
        return self.tally

    def state(self) -> bytes:
        """For another that goes on from here."""
        return msgspec.json.encode(SlowState(self.tally, self._reading, self._collector.held))

    def restore(self, given: bytes) -> None:
        """Go on from there."""
        state = msgspec.json.decode(given, type=SlowState)
        self.tally, self._reading = state.tally, state.reading
        self._collector = Collector(self._unit, self.tally)
        self._collector.held = state.held

    def around(self, start: int, end: int) -> tuple[int, bytes]:
        """Bytes of the piece that is being looked at, and of the end of the one before."""
        low = max(0, start - self._base)
        front, kept = trimmed(self._piece[low : max(low, end - self._base)])
        return self._base + low + front, kept

    def _look(self, size: int) -> None:
        """Look up the N-grams that end in the next piece of a size."""
        reading = self._reading
        assert reading is not None
        piece = reading.raw[:size]
        self._piece, self._base = reading.before + piece, reading.base - len(reading.before)
        text, broken = decoded(piece)
        if broken:
            lost = sum(stop - start for start, stop in broken)
            first = reading.base + broken[0][0]
            self.tally.tell(Problem(BROKEN, first, lost, unit=self._unit, lost=False))
        old = len(reading.words)
        words = self._finder.cut.split(text)
        reading.words += words
        reading.spans += _spans(text, words, reading.base)
        self._look_up(reading, old)
        self.tally.words += len(words)
        self.tally.bytes += size
        done = max(0, len(reading.words) - self._finder.sizes[-1] + 1)
        reading.words, reading.spans = reading.words[done:], reading.spans[done:]
        reading.raw, reading.base = reading.raw[size:], reading.base + size
        reading.before = self._piece[-BEFORE:]

    def _look_up(self, reading: Reading, old: int) -> None:
        hits = []
        for n in self._finder.sizes:
            for at, gram in enumerate(ngrams(reading.words, n)):
                number = self._finder.known.get(gram)
                if number is not None and at + n > old:
                    hits.append((number, reading.spans[at][0], reading.spans[at + n - 1][1]))
        for hit in sorted(hits, key=lambda hit: (hit[1], hit[2], hit[0])):
            self._collector.take(reading.document, hit, self)


def _spans(text: str, words: list[str], base: int) -> list[tuple[int, int]]:
    """Where words stand, in bytes; of one that cannot be found, where the one before ends."""
    lowered = _lowered(text)
    spans, cursor, place, done = [], 0, base, 0
    for word in words:
        start = lowered.find(word, cursor)
        end = start + len(word)
        if start < 0:
            start = end = cursor
        place += len(text[done:start].encode())
        after = place + len(text[start:end].encode())
        spans.append((place, after))
        place, done, cursor = after, end, end
    return spans


def _lowered(text: str) -> str:
    """In lower case, but for characters whose lower case is longer."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char if len(char.lower()) > 1 else char.lower() for char in text)
