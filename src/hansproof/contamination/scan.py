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

from ..corpus import CorpusSource, EndOfSource, ReadIssue, TextChunk, UnreadableSource
from ..corpus.shards import CorpusReader, Shard
from ..errors import BadInput
from .index import NgramIndex
from .scanner.case_folding import TOKEN_PATTERNS
from .scanner.compiled import CHUNK_SIZE, CompiledIndex, CompiledScanner
from .scanner.hits import ScanHits
from .scanner.memory import trim_heap
from .scanner.python import PythonIndex, PythonScanner

MAX_STATE_SHARE = 0.05  # of the time, at most, goes into states
PROGRESS_INTERVAL = 0.1  # seconds between looks at whether to go on
STATE_INTERVAL = 3.0  # seconds between states that are made known, if nobody says otherwise


@dataclass(frozen=True, slots=True)
class ShardState:
    """How far a part is: pieces of text taken in, and what is known by then."""

    n_chunks: int
    scanner_state: bytes


@dataclass(frozen=True)
class ScanPlan:
    """What is looked for, and where."""

    index: NgramIndex
    sources: tuple[CorpusSource, ...]
    reader: CorpusReader = field(default_factory=CorpusReader)
    chunk_size: int = CHUNK_SIZE
    shards: tuple[Shard, ...] = field(default=())

    @classmethod
    def for_sources(
        cls, index: NgramIndex, sources: list[CorpusSource], reader: CorpusReader, chunk_size: int = CHUNK_SIZE,
        max_shard: int | None = None,
    ) -> ScanPlan:  # fmt: skip
        """A scan of all parts of some sources."""
        if index.header.tokenizer not in TOKEN_PATTERNS:
            if reader.continued:
                message = f"not with tokenizer {index.header.tokenizer}: use word or whitespace"
                raise BadInput("--continued", message)
            reader = replace(reader, whole=True)
        size_args = () if max_shard is None else (max_shard,)
        shards = reader.plan_shards(sources, *size_args)
        return cls(index, tuple(sources), reader, chunk_size, tuple(shards))

    @cached_property
    def prepared_index(self) -> CompiledIndex | PythonIndex:
        """The index made ready."""
        is_compiled = self.index.header.tokenizer in TOKEN_PATTERNS
        return CompiledIndex(self.index) if is_compiled else PythonIndex(self.index)

    @cached_property
    def fingerprint(self) -> str:
        """Of all that a result depends on."""
        digest = hashlib.sha256(msgspec.json.encode(self.index.header))
        for name in sorted(self.index.arrays):
            digest.update(self.index.arrays[name].data)
        settings = (
            self.sources,
            self.reader,
            self.shards,
            self.chunk_size,
            metadata.version("hansproof"),
        )
        digest.update(msgspec.json.encode(settings))
        return digest.hexdigest()

    def shard_size(self, number: int) -> int:
        """Bytes of a part as they lie there, for a bar."""
        shard = self.shards[number]
        source_size = self.sources[shard.source_index].size or 0
        return (source_size if shard.end is None else shard.end) - shard.start

    def scan_shard(
        self,
        number: int,
        resume_from: ShardState | None = None,
        on_progress: Callable[[int, ShardState | None], bool] = lambda bytes_done, shard_state: (
            True
        ),
        interval: float = STATE_INTERVAL,
    ) -> ScanHits | None:
        """What a part holds. `tell` hears how far it is; None if it says to stop."""
        scanner = self._make_scanner(number)
        if resume_from is not None:
            scanner.restore_state(resume_from.scanner_state)
        n_chunks, n_resumed = 0, resume_from.n_chunks if resume_from else 0
        bytes_done, shard_start, last_calls = (
            0,
            self.shards[number].start,
            (time.monotonic(), time.monotonic()),
        )
        pause = interval
        try:
            for chunk in self._read_shard(number):
                n_chunks += 1
                if n_chunks <= n_resumed:
                    continue
                _feed_scanner(scanner, chunk, number)
                bytes_done = (
                    chunk.bytes_read - shard_start if isinstance(chunk, TextChunk) else bytes_done
                )
                now = time.monotonic()
                if now - last_calls[0] > PROGRESS_INTERVAL:
                    is_due = now - last_calls[1] > pause
                    state = scanner.dump_state() if is_due else None
                    if not on_progress(
                        bytes_done, None if state is None else ShardState(n_chunks, state)
                    ):
                        return None
                    if is_due:  # however much there is to tell, most of the time goes into the scan
                        pause = max(interval, (time.monotonic() - now) / MAX_STATE_SHARE)
                        trim_heap()
                    last_calls = now, now if is_due else last_calls[1]
        except UnreadableSource as error:
            scanner.scan_hits.add_issue(replace(error.issue, unit=number))
        trim_heap()
        return scanner.finish()

    def _make_scanner(self, number: int) -> CompiledScanner | PythonScanner:
        prepared = self.prepared_index
        if isinstance(prepared, CompiledIndex):
            return CompiledScanner(prepared, number, self.chunk_size)
        return PythonScanner(prepared, number)

    def _read_shard(self, number: int) -> Iterator[TextChunk | ReadIssue | EndOfSource]:
        return self.reader.read_shard(self.sources, self.shards[number], self._has_enough_words)

    def _has_enough_words(self, raw: bytes) -> bool:
        """Whether text behind a part will do for the N-grams that begin in it."""
        prepared = self.prepared_index
        assert isinstance(prepared, CompiledIndex)
        if len(raw) < prepared.margin:
            return False
        words = prepared.pattern.finditer(raw.decode("utf-8", "replace"))
        return sum(1 for _ in islice(words, prepared.lookup.longest + 1)) > prepared.lookup.longest


def _feed_scanner(
    scanner: CompiledScanner | PythonScanner,
    chunk: TextChunk | ReadIssue | EndOfSource,
    number: int,
) -> None:
    if isinstance(chunk, ReadIssue):
        chunk.shard = number
        scanner.scan_hits.add_issue(chunk)
    elif isinstance(chunk, EndOfSource):
        scanner.scan_hits.records_read = chunk.n_documents
    else:
        if chunk.is_first:
            scanner.start_document(chunk.document, chunk.offset, chunk.ngrams_from)
        if chunk.ngrams_until is not None:
            scanner.stop_before(chunk.ngrams_until)
        scanner.feed(chunk.data)
        if chunk.is_last:
            scanner.end_document()
