"""The compiled scanner: scans documents of any length in a buffer of constant size.

The end of a buffer that cannot be scanned yet, and enough text before it, is carried over to the
next buffer, so the size of the buffer does not change the result. An N-gram belongs to the
position at which its first word begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

import msgspec
import numpy as np

from ...corpus import ReadIssue
from ...text.tokenizers import COMPILED_PATTERNS
from ..index import NgramIndex
from .case_folding import fold_table
from .hits import (
    CONTEXT,
    INVALID_UTF8,
    PASSAGE_SPAN,
    OpenPassage,
    PassageCollector,
    ScanHits,
    trim_partial_chars,
)  # fmt: skip
from .kernel import FULL, PAD, Longs, scan_regions
from .lookup import build_lookup
from .unicode_fallback import ByteHit, UnicodeFallback
from .word_boundaries import (
    WordBoundaries,
    byte_size,
    cluster_positions,
    decode_range,
    last_complete_char,
)  # fmt: skip

CHUNK_SIZE = 1 << 21  # bytes scanned at a time, without the interpreter lock
MARGIN = 2 * (CONTEXT + PASSAGE_SPAN)  # bytes that are carried over, at least
MAX_CHUNK = 1 << 23  # bytes scanned at a time in text with few words
MAX_DOCUMENTS = 1 << 14  # in the buffer at a time (documents may be empty)
INITIAL_HITS = 1 << 12  # initial capacity of the arrays


class CompiledIndex:
    """An index with its lookup tables, which all scanners share."""

    def __init__(self, index: NgramIndex) -> None:
        self.tokenizer = index.header.tokenizer
        self.lookup = build_lookup(index)
        self.fold_table = fold_table(self.tokenizer)
        self.fallback = UnicodeFallback(self.tokenizer, self.lookup)
        self.pattern = re.compile(COMPILED_PATTERNS[self.tokenizer])
        self.boundaries = WordBoundaries(self.pattern, self.lookup.longest)
        self.margin = max(MARGIN, 2 * int(index.arrays["sizes"].max(initial=0)))


@dataclass(slots=True)
class BufferRegion:
    """The part of a document that is in the buffer."""

    document: int
    base: int  # offset of byte 0 of the buffer in the document's text
    floor: int  # first byte in the buffer
    begin: int  # in the buffer: N-grams from here on are not scanned yet
    end: int
    until: int | None = None  # in the document's text: N-grams from here on do not count
    is_open: bool = True  # whether more text may follow
    mid_word: bool = False  # whether `begin` is in the middle of a word, which is skipped


@dataclass(frozen=True, slots=True)
class ScannerState:
    """The state of a compiled scanner, from which another can resume."""

    scan_hits: ScanHits
    raw: bytes
    regions: list[BufferRegion]
    open_passage: OpenPassage | None


class CompiledScanner:
    """Scans documents with the compiled kernel (see `base.Scanner`)."""

    def __init__(self, index: CompiledIndex, shard: int = 0, chunk_size: int = CHUNK_SIZE) -> None:
        self.scan_hits = ScanHits()
        self._index, self._shard = index, shard
        self._chunk_size = max(chunk_size, 4 * index.margin)
        self._raw = np.empty(self._chunk_size + PAD, np.uint8)
        self._by_word = index.tokenizer == "word"
        self._lowered = np.empty_like(self._raw) if self._by_word else self._raw
        self._fill = 0
        self._regions: list[BufferRegion] = []
        self._collector = PassageCollector(shard, self.scan_hits)
        self._hit_rows = np.zeros((INITIAL_HITS, 3), np.int64)
        self._irregular = np.zeros((INITIAL_HITS, 2), np.int64)

    def start_document(self, document: int, offset: int = 0, begin: int | None = None) -> None:
        """Start a document at an offset; count N-grams from byte `begin` on."""
        if len(self._regions) == MAX_DOCUMENTS:
            self._flush_buffer()
        position = self._fill
        ngrams_from = position if begin is None else position + begin - offset
        self._regions.append(
            BufferRegion(document, offset - position, position, ngrams_from, position)
        )
        self.scan_hits.documents += begin is None

    def feed(self, data: bytes | memoryview) -> None:
        """Add text to the document."""
        data = memoryview(data)
        while len(data) and self._regions and self._regions[-1].is_open:
            block = data[: self._chunk_size - self._fill]
            self._raw[self._fill : self._fill + len(block)] = np.frombuffer(block, np.uint8)
            self._fill += len(block)
            self._regions[-1].end = self._fill
            if self._fill == self._chunk_size:
                self._flush_buffer()
            data = data[len(block) :]

    def stop_before(self, offset: int) -> None:
        """Ignore N-grams that start at this byte of the document or later."""
        if self._regions:
            self._regions[-1].until = offset

    def end_document(self) -> None:
        """End the document."""
        if self._regions:
            self._regions[-1].is_open = False

    def finish(self) -> ScanHits:
        """Scan the rest of the buffer, and return all hits."""
        self.end_document()
        self._flush_buffer()
        self._collector.close_passage()
        self.scan_hits.prune_passages()
        return self.scan_hits

    def dump_state(self) -> bytes:
        """Return the state as JSON."""
        raw = self._raw[: self._fill].tobytes()
        return msgspec.json.encode(
            ScannerState(self.scan_hits, raw, self._regions, self._collector.open_passage)
        )

    def restore_state(self, data: bytes) -> None:
        """Resume from a state."""
        state = msgspec.json.decode(data, type=ScannerState)
        self.scan_hits, self._regions = state.scan_hits, state.regions
        self._collector = PassageCollector(self._shard, self.scan_hits)
        self._collector.open_passage = state.open_passage
        while self._chunk_size < len(state.raw):
            self._grow_buffer()
        self._fill = len(state.raw)
        self._raw[: self._fill] = np.frombuffer(state.raw, np.uint8)

    def bytes_around(self, start: int, end: int) -> tuple[int, bytes]:
        """Return bytes of the current document between two offsets, and where they begin."""
        region = self._current
        low = max(region.floor, start - region.base)
        raw = self._raw[low : max(low, min(region.end, end - region.base))].tobytes()
        front, text_bytes = trim_partial_chars(raw)
        return region.base + low + front, text_bytes

    def _flush_buffer(self) -> None:
        """Scan the buffer, and carry over what cannot be scanned yet."""
        region_bounds = [self._region_bounds(region) for region in self._regions]
        for region, bounds, hits in zip(
            self._regions, region_bounds, self._find_hits(region_bounds), strict=True
        ):
            self.scan_hits.bytes += max(0, bounds[1] - region.begin)
            self._current = region
            for gram, start, end in hits:
                hit = gram, region.base + start, region.base + end
                self._collector.add_hit(region.document, hit, self)
        if self._regions and self._regions[-1].is_open:
            self._carry_over(self._regions[-1], region_bounds[-1][1])
        else:
            self._fill, self._regions = 0, []

    def _region_bounds(self, region: BufferRegion) -> tuple[int, int, int]:
        """Return where N-grams may begin, up to where, and the end of the text."""
        if region.begin > region.end:  # no text that counts is in the buffer yet
            return region.end, region.end, region.end
        end = region.end
        if region.is_open:
            end = last_complete_char(self._raw, region.begin, end)
        begin = min(region.begin, end)
        if region.mid_word:
            begin = self._index.boundaries.skip_word(self._raw, begin, end)
            region.mid_word = begin == end
        limit = self._find_cut(region, begin, end) if region.is_open and begin < end else end
        if region.until is not None and limit >= region.until - region.base:
            limit = max(begin, region.until - region.base)
            region.is_open = False  # the following text does not count
        return begin, limit, end

    def _find_cut(self, region: BufferRegion, begin: int, end: int) -> int:
        """Return up to where N-grams are looked for now; the others wait for more text."""
        margin, boundaries = self._index.margin, self._index.boundaries
        position = boundaries.find_cut(self._raw, begin, end, margin)
        return self._cut_between_words(region, begin, end) if position is None else position

    def _cut_between_words(self, region: BufferRegion, begin: int, end: int) -> int:
        """Cut a text with few spaces or few words; if that is impossible, enlarge the buffer."""
        text = decode_range(self._raw, begin, end)
        starts = [match.start() for match in self._index.pattern.finditer(text)]
        cuts = starts[: max(0, len(starts) - self._index.lookup.longest)]
        last = last_complete_char(self._raw, begin, max(begin, end - self._index.margin))
        max_chars = len(decode_range(self._raw, begin, last))
        cuts = [start for start in cuts if 0 < start < max_chars]
        if cuts:
            return begin + byte_size(text[: cuts[-1]])
        if self._chunk_size < MAX_CHUNK:
            self._grow_buffer()
            return begin
        # no index contains a word of so many bytes; a gap of so many bytes separates texts
        word_continues = starts and self._index.pattern.fullmatch(text, starts[-1])
        region.mid_word = bool(word_continues) and starts[-1] == 0
        if word_continues and not region.mid_word:
            return begin + byte_size(text[: starts[-1]])
        return end

    def _grow_buffer(self) -> None:
        """Double the size of the buffer."""
        extra = np.zeros(self._chunk_size, np.uint8)
        self._raw = np.concatenate([self._raw, extra])
        self._lowered = np.concatenate([self._lowered, extra]) if self._by_word else self._raw
        self._chunk_size *= 2

    def _carry_over(self, region: BufferRegion, limit: int) -> None:
        """Move the end of the last region to the front of the buffer."""
        floor = max(region.floor, limit - self._index.margin)
        carried = self._raw[floor : self._fill].copy()
        self._raw[: carried.size] = carried
        self._fill = carried.size
        region.base += floor
        region.floor, region.begin, region.end = 0, max(region.begin, limit) - floor, self._fill
        self._regions = [region]

    def _find_hits(self, region_bounds: list[tuple[int, int, int]]) -> list[list[ByteHit]]:
        """Return the hits of each region, sorted by their positions."""
        if not region_bounds:
            return []
        bounds_array = np.array(region_bounds, np.int64)
        n_hits, n_irregular, invalid = self._run_kernel(bounds_array)
        self._report_invalid(invalid)
        hits = self._hit_rows[:n_hits]
        low, high = (
            np.searchsorted(np.sort(hits[:, 1]), bounds_array[:, column]) for column in (0, 1)
        )
        hits = hits[np.argsort(hits[:, 1], kind="stable")]
        hits_by_region = [
            {(gram, start, end) for gram, start, end in hits[a:b].tolist()}
            for a, b in zip(low.tolist(), high.tolist(), strict=True)
        ]
        for region_index, pairs in groupby(
            self._irregular[:n_irregular].tolist(), key=lambda pair: pair[0]
        ):
            positions = [position for _, position in pairs]
            hits_by_region[region_index] |= self._fallback_hits(
                positions, self._regions[region_index].floor, region_bounds[region_index]
            )
        return [
            sorted(region_hits, key=lambda hit: (hit[1], hit[2], hit[0]))
            for region_hits in hits_by_region
        ]

    def _run_kernel(self, bounds: Longs) -> tuple[int, int, Longs]:
        """Return the numbers of hits and of irregular characters, and invalid bytes by region."""
        index = self._index
        while True:
            invalid = np.full((len(bounds), 2), (0, -1), np.int64)
            n_hits, n_words, n_irregular = scan_regions(
                self._raw, self._lowered, bounds, self._by_word, index.fold_table, index.lookup,
                self._hit_rows, self._irregular, invalid,
            )  # fmt: skip
            if n_hits != FULL:
                self.scan_hits.words += n_words
                return n_hits, n_irregular, invalid
            self._hit_rows = np.zeros((4 * len(self._hit_rows), 3), np.int64)
            self._irregular = np.zeros((4 * len(self._irregular), 2), np.int64)

    def _report_invalid(self, invalid: Longs) -> None:
        for region, (size, first) in zip(self._regions, invalid.tolist(), strict=True):
            if size:
                position = region.base + first
                self.scan_hits.add_issue(
                    ReadIssue(INVALID_UTF8, position, size, shard=self._shard, text_lost=False)
                )

    def _fallback_hits(
        self, positions: list[int], floor: int, bounds: tuple[int, int, int]
    ) -> set[ByteHit]:
        """Return the hits around irregular characters, found by the fallback."""
        all_hits, (begin, limit, end) = set[ByteHit](), bounds
        for first, last in cluster_positions(positions, self._index.margin):
            low = self._index.boundaries.find_context_start(self._raw, first, floor)
            high = self._index.boundaries.find_context_end(self._raw, last, end)
            hits = self._index.fallback.find_hits(self._raw[low:high].tobytes())
            all_hits |= {
                (gram, low + a, low + b) for gram, a, b in hits if begin <= low + a < limit
            }
        return all_hits
