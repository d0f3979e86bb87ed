"""Plans a scan of a corpus for an index, and scans single shards of it."""

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
from ..corpus.shards import MAX_SHARD, CorpusReader, Shard
from ..errors import BadInput
from ..text.tokenizers import COMPILED_PATTERNS
from .index import NgramIndex
from .scanner.base import Scanner
from .scanner.compiled import CHUNK_SIZE, CompiledIndex, CompiledScanner
from .scanner.hits import ScanHits
from .scanner.memory import trim_heap
from .scanner.python import PythonIndex, PythonScanner

MAX_STATE_SHARE = 0.05  # largest share of the time that is spent on dumping states
PROGRESS_INTERVAL = 0.1  # seconds between two reports
STATE_INTERVAL = 3.0  # seconds between two reports with a state, by default


@dataclass(frozen=True, slots=True)
class ShardState:
    """The state of an unfinished shard, from which a scan can resume."""

    n_chunks: int  # scanned so far
    scanner_state: msgspec.Raw  # JSON, so that a checkpoint contains it as it is


OnProgress = Callable[[int, ShardState | None], bool]  # bytes done; returns whether to go on


@dataclass(frozen=True)
class ScanPlan:
    """The index to look for, the sources to read, and the shards they are split into."""

    index: NgramIndex
    sources: tuple[CorpusSource, ...]
    reader: CorpusReader = field(default_factory=CorpusReader)
    chunk_size: int = CHUNK_SIZE
    shards: tuple[Shard, ...] = field(default=())

    @classmethod
    def for_sources(
        cls,
        index: NgramIndex,
        sources: list[CorpusSource],
        reader: CorpusReader,
        chunk_size: int = CHUNK_SIZE,
        max_shard: int = MAX_SHARD,
    ) -> ScanPlan:
        """Plan a scan of all sources, split into shards of at most `max_shard` bytes."""
        if index.header.tokenizer not in COMPILED_PATTERNS:
            if reader.continued:
                message = (
                    f"is not supported with the tokenizer {index.header.tokenizer}: use word or "
                    "whitespace"
                )
                raise BadInput("--continued", message)
            reader = replace(reader, unsplit=True)
        shards = reader.plan_shards(sources, max_shard)
        return cls(index, tuple(sources), reader, chunk_size, tuple(shards))

    @cached_property
    def prepared_index(self) -> CompiledIndex | PythonIndex:
        """The index in the form that the scanner of its tokenizer needs."""
        is_compiled = self.index.header.tokenizer in COMPILED_PATTERNS
        return CompiledIndex(self.index) if is_compiled else PythonIndex(self.index)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that the result depends on."""
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
        """Return the size of a shard in bytes, compressed if its source is."""
        shard = self.shards[number]
        source_size = self.sources[shard.source_index].size or 0
        return (source_size if shard.end is None else shard.end) - shard.start

    def scan_shard(
        self,
        number: int,
        resume_from: ShardState | None = None,
        on_progress: OnProgress = lambda bytes_done, state: True,
        interval: float = STATE_INTERVAL,
    ) -> ScanHits | None:
        """Scan a shard, from a state on if one is given; None if `on_progress` says to stop.

        `on_progress` gets the number of bytes done and, every `interval` seconds, the state.
        """
        scanner = self._make_scanner(number)
        n_resumed = 0
        if resume_from is not None:
            scanner.restore_state(bytes(resume_from.scanner_state))
            n_resumed = resume_from.n_chunks
        reporter = _Reporter(scanner, on_progress, interval)
        bytes_done = 0
        try:
            for n_chunks, chunk in enumerate(self._read_shard(number), start=1):
                if n_chunks <= n_resumed:
                    continue
                _feed_scanner(scanner, chunk, number)
                if isinstance(chunk, TextChunk):
                    bytes_done = chunk.bytes_read - self.shards[number].start
                if not reporter.report_progress(n_chunks, bytes_done):
                    return None
        except UnreadableSource as error:
            scanner.scan_hits.add_issue(replace(error.issue, shard=number))
        trim_heap()
        return scanner.finish()

    def _make_scanner(self, number: int) -> Scanner:
        prepared = self.prepared_index
        if isinstance(prepared, CompiledIndex):
            return CompiledScanner(prepared, number, self.chunk_size)
        return PythonScanner(prepared, number)

    def _read_shard(self, number: int) -> Iterator[TextChunk | ReadIssue | EndOfSource]:
        return self.reader.read_shard(self.sources, self.shards[number], self._has_enough_words)

    def _has_enough_words(self, raw: bytes) -> bool:
        """Whether text after a shard completes all N-grams that begin in the shard."""
        prepared = self.prepared_index
        assert isinstance(prepared, CompiledIndex)
        if len(raw) < prepared.margin:
            return False
        words = prepared.pattern.finditer(raw.decode("utf-8", "replace"))
        return sum(1 for _ in islice(words, prepared.lookup.longest + 1)) > prepared.lookup.longest


class _Reporter:
    """Calls `on_progress` from time to time, now and then with the state of the scanner."""

    def __init__(self, scanner: Scanner, on_progress: OnProgress, interval: float) -> None:
        self._scanner, self._on_progress, self._interval = scanner, on_progress, interval
        self._pause = interval
        self._last_report = self._last_state = time.monotonic()

    def report_progress(self, n_chunks: int, bytes_done: int) -> bool:
        """Report if it is time to; return whether to go on."""
        now = time.monotonic()
        if now - self._last_report <= PROGRESS_INTERVAL:
            return True
        self._last_report = now
        if now - self._last_state <= self._pause:
            return self._on_progress(bytes_done, None)
        self._last_state = now
        state = ShardState(n_chunks, msgspec.Raw(self._scanner.dump_state()))
        if not self._on_progress(bytes_done, state):
            return False
        # states of any size take a small share of the time only
        self._pause = max(self._interval, (time.monotonic() - now) / MAX_STATE_SHARE)
        trim_heap()
        return True


def _feed_scanner(
    scanner: Scanner,
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
