"""A scan: an index, a corpus and how it is read; and one part of it done."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import metadata
from itertools import islice

import msgspec

from ..corpus import End, Problem, Source, Text, Torn
from ..corpus.read import Part, Reading
from ..errors import BadInput
from .fold import PATTERNS
from .heap import give_back
from .index import Index
from .scanner import CHUNK, Finder, Scanner
from .slowly import SlowFinder, Slowly
from .tally import Tally

TELLING = 0.05  # of the time, at most, goes into states
OFTEN = 0.1  # seconds between looks at whether to go on
EVERY = 3.0  # seconds between states that are made known, if nobody says otherwise


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a part is: pieces of text taken in, and what is known by then."""

    pieces: int
    state: bytes


@dataclass(frozen=True)
class Job:
    """What is looked for, and where."""

    index: Index
    sources: tuple[Source, ...]
    reading: Reading = field(default_factory=Reading)
    chunk: int = CHUNK
    parts: tuple[Part, ...] = field(default=())

    @classmethod
    def of(
        cls, index: Index, sources: list[Source], reading: Reading, chunk: int = CHUNK,
        stretch: int | None = None,
    ) -> Job:  # fmt: skip
        """A scan of all parts of some sources."""
        if index.head.tokenizer not in PATTERNS:
            if reading.continued:
                what = f"not with tokenizer {index.head.tokenizer}: use word or whitespace"
                raise BadInput("--continued", what)
            reading = replace(reading, whole=True)
        given = () if stretch is None else (stretch,)
        parts = reading.parts(sources, *given)
        return cls(index, tuple(sources), reading, chunk, tuple(parts))

    @cached_property
    def finder(self) -> Finder | SlowFinder:
        """The index made ready."""
        fast = self.index.head.tokenizer in PATTERNS
        return Finder(self.index) if fast else SlowFinder(self.index)

    @cached_property
    def fingerprint(self) -> str:
        """Of all that a result depends on."""
        digest = hashlib.sha256(msgspec.json.encode(self.index.head))
        for name in sorted(self.index.arrays):
            digest.update(self.index.arrays[name].data)
        how = (self.sources, self.reading, self.parts, self.chunk, metadata.version("hansproof"))
        digest.update(msgspec.json.encode(how))
        return digest.hexdigest()

    def size(self, number: int) -> int:
        """Bytes of a part as they lie there, for a bar."""
        part = self.parts[number]
        whole = self.sources[part.source].size or 0
        return (whole if part.end is None else part.end) - part.start

    def done(
        self,
        number: int,
        reached: Reached | None = None,
        tell: Callable[[int, Reached | None], bool] = lambda at, reached: True,
        every: float = EVERY,
    ) -> Tally | None:
        """What a part holds. `tell` hears how far it is; None if it says to stop."""
        scanner = self._scanner(number)
        if reached is not None:
            scanner.restore(reached.state)
        pieces, known = 0, reached.pieces if reached else 0
        at, start, told = 0, self.parts[number].start, (time.monotonic(), time.monotonic())
        pause = every
        try:
            for piece in self._texts(number):
                pieces += 1
                if pieces <= known:
                    continue
                _take(scanner, piece, number)
                at = piece.at - start if isinstance(piece, Text) else at
                now = time.monotonic()
                if now - told[0] > OFTEN:
                    due = now - told[1] > pause
                    state = scanner.state() if due else None
                    if not tell(at, None if state is None else Reached(pieces, state)):
                        return None
                    if due:  # however much there is to tell, most of the time goes into the scan
                        pause = max(every, (time.monotonic() - now) / TELLING)
                        give_back()
                    told = now, now if due else told[1]
        except Torn as torn:
            scanner.tally.tell(replace(torn.problem, unit=number))
        give_back()
        return scanner.finish()

    def _scanner(self, number: int) -> Scanner | Slowly:
        finder = self.finder
        if isinstance(finder, Finder):
            return Scanner(finder, number, self.chunk)
        return Slowly(finder, number)

    def _texts(self, number: int) -> Iterator[Text | Problem | End]:
        return self.reading.texts(self.sources, self.parts[number], self._enough)

    def _enough(self, raw: bytes) -> bool:
        """Whether text behind a part will do for the N-grams that begin in it."""
        finder = self.finder
        assert isinstance(finder, Finder)
        if len(raw) < finder.margin:
            return False
        words = finder.pattern.finditer(raw.decode("utf-8", "replace"))
        return sum(1 for _ in islice(words, finder.grams.longest + 1)) > finder.grams.longest


def _take(scanner: Scanner | Slowly, piece: Text | Problem | End, number: int) -> None:
    if isinstance(piece, Problem):
        piece.unit = number
        scanner.tally.tell(piece)
    elif isinstance(piece, End):
        scanner.tally.numbered = piece.documents
    else:
        if piece.first:
            scanner.start(piece.document, piece.offset, piece.begin)
        if piece.until is not None:
            scanner.until(piece.until)
        scanner.feed(piece.data)
        if piece.last:
            scanner.end()
