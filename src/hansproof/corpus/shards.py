"""Splits sources into shards, and reads shards of any kind of source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .chunks import EndOfSource, ReadIssue, TextChunk
from .readers import PLAIN, load_reader, plaintext
from .readers.plaintext import EnoughTail
from .sources import CorpusSource

MAX_SHARD = 1 << 24  # bytes of a large file
MIN_SHARD = 1 << 21  # shards become smaller towards the end of a file, so that no core waits long


@dataclass(frozen=True, slots=True)
class Shard:
    """A source, or a range of bytes of one."""

    source_index: int
    start: int = 0
    end: int | None = None  # None: the end of the source


@dataclass(frozen=True, slots=True)
class CorpusReader:
    """Settings for reading sources."""

    field: str = "text"  # of JSON lines, Parquet and the hub: the field with the text
    continued: bool = False  # files of plain text continue each other, as `split` writes them
    unsplit: bool = False  # do not split large files

    def plan_shards(
        self, sources: Sequence[CorpusSource], max_size: int = MAX_SHARD
    ) -> list[Shard]:
        """Split sources into shards, in order."""
        return [
            Shard(number, start, end)
            for number, source in enumerate(sources)
            for start, end in self._split_source(source, max_size)
        ]

    def _split_source(
        self, source: CorpusSource, max_size: int
    ) -> Iterator[tuple[int, int | None]]:
        if self.unsplit or not source.is_splittable():
            yield 0, None
            return
        size = source.size or 0
        start = 0
        while start < size:
            end = start + min(max_size, max(MIN_SHARD, (size - start) // 8))
            yield start, end if end < size else None
            start = end

    def read_shard(
        self, sources: Sequence[CorpusSource], shard: Shard, is_enough: EnoughTail
    ) -> Iterator[TextChunk | ReadIssue | EndOfSource]:
        """Yield the documents of a shard; raise UnreadableSource where reading fails."""
        source = sources[shard.source_index]
        if source.kind != PLAIN:
            return load_reader(source.kind)(source, shard.start, shard.end, self.field)
        following = self._following_sources(sources, shard)
        mid_word = shard.start > 0 or (
            self.continued and self._follows_plaintext(sources, shard.source_index)
        )
        return plaintext.read_documents(
            [source, *following], shard.start, shard.end, mid_word, is_enough
        )

    def _following_sources(
        self, sources: Sequence[CorpusSource], shard: Shard
    ) -> list[CorpusSource]:
        """Return the sources in which the text of a shard continues."""
        following: list[CorpusSource] = []
        if self.continued:
            for source in sources[shard.source_index + 1 :]:
                if source.kind != PLAIN:
                    break
                following.append(source)
        return following

    def _follows_plaintext(self, sources: Sequence[CorpusSource], source_index: int) -> bool:
        return source_index > 0 and sources[source_index - 1].kind == PLAIN
