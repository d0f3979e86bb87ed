"""Every kind of source, read by parts: whole ones, or stretches of a large file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from . import hub, jsonl, parquet, plain, warc, zipped
from .plain import Enough
from .sources import Source
from .text import End, Problem, Text

STRETCH = 1 << 24  # bytes of a large file that are one part, at most
LEAST = 1 << 21  # and at least: towards the end parts are smaller, so that no core waits long


@dataclass(frozen=True, slots=True)
class Part:
    """What is read in one go: a source, or a stretch of one."""

    source: int
    start: int = 0
    end: int | None = None  # None: up to the end of the source


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read."""

    field: str = "text"  # of JSON lines, Parquet and the hub: where the text stands
    continued: bool = False  # files of plain text are pieces of one, as `split` makes them
    whole: bool = False  # large files are not parted

    def parts(self, sources: Sequence[Source], stretch: int = STRETCH) -> list[Part]:
        """All there is to read, in order."""
        return [
            Part(number, start, end)
            for number, source in enumerate(sources)
            for start, end in self._stretches(source, stretch)
        ]

    def _stretches(self, source: Source, stretch: int) -> Iterator[tuple[int, int | None]]:
        if self.whole or not source.cut():
            yield 0, None
            return
        size = source.size or 0
        start = 0
        while start < size:
            end = start + min(stretch, max(LEAST, (size - start) // 8))
            yield start, end if end < size else None
            start = end

    def texts(
        self, sources: Sequence[Source], part: Part, enough: Enough
    ) -> Iterator[Text | Problem | End]:
        """The documents of a part. Raises Torn where it cannot be read on."""
        source = sources[part.source]
        if source.kind == "plain":
            others = self._following(sources, part)
            within = part.start > 0 or (self.continued and self._follows(sources, part.source))
            return plain.read([source, *others], part.start, part.end, within, enough)
        if source.kind == "jsonl":
            return jsonl.read(source, part.start, part.end, self.field)
        if source.kind == "parquet":
            return parquet.read(source, self.field)
        if source.kind == "hub":
            return hub.read(source, self.field)
        return warc.read(source) if source.kind == "warc" else zipped.read(source)

    def _following(self, sources: Sequence[Source], part: Part) -> list[Source]:
        """The sources that a part goes on in, should its own end too soon."""
        found: list[Source] = []
        if self.continued:
            for source in sources[part.source + 1 :]:
                if source.kind != "plain":
                    break
                found.append(source)
        return found

    def _follows(self, sources: Sequence[Source], number: int) -> bool:
        return number > 0 and sources[number - 1].kind == "plain"
