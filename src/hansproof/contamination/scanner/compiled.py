"""Scans text as it comes, in a buffer of one size, however long a document is.

What is left over of a document at the end of a buffer, and enough of what came before, is carried
into the next: where buffers end changes no result. An N-gram belongs to where its first word
begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, islice

import msgspec
import numpy as np

from ...corpus import ReadIssue
from ..index import NgramIndex
from .case_folding import TOKEN_PATTERNS, fold_table
from .hits import (
    CONTEXT,
    INVALID_UTF8,
    PASSAGE_SPAN,
    OpenPassage,
    PassageCollector,
    ScanHits,
    trim_partial_chars,
)
from .kernel import FULL, PAD, Longs, scan_regions
from .lookup import build_lookup
from .unicode_fallback import ByteHit, UnicodeFallback

CHUNK_SIZE = 1 << 21  # bytes scanned at a time: between two, threads wait for each other
MARGIN = 2 * (CONTEXT + PASSAGE_SPAN)  # bytes that stay in the buffer before and after, at least
MAX_CHUNK = 1 << 23  # bytes scanned at a time where words are few
MAX_DOCUMENTS = 1 << 14  # in the buffer at a time: some are empty
INITIAL_HITS = 1 << 12  # room for hits at first
_SPACES = (b" ", b"\n", b"\t", b"\r")


class CompiledIndex:
    """An index made ready, shared by all that scan."""

    def __init__(self, index: NgramIndex) -> None:
        self.tokenizer = index.header.tokenizer
        self.lookup = build_lookup(index)
        self.fold_table = fold_table(self.tokenizer)
        self.fallback = UnicodeFallback(self.tokenizer, self.lookup)
        self.pattern = re.compile(TOKEN_PATTERNS[self.tokenizer])
        self.margin = max(MARGIN, 2 * int(index.arrays["sizes"].max(initial=0)))


@dataclass(slots=True)
class BufferRegion:
    """A stretch of a document in the buffer."""

    document: int
    base: int  # where byte 0 of the buffer would be, in the document's text
    floor: int  # in the buffer: the first byte that is there
    begin: int  # in the buffer: where N-grams begin that were not looked for yet
    end: int
    until: int | None = None  # in the document's text: N-grams that begin later are not ours
    is_open: bool = True  # whether there may be more of it
    mid_word: bool = False  # whether `begin` is in the middle of a word, which is passed over


@dataclass(frozen=True, slots=True)
class ScannerState:
    """All that a scanner knows, to go on from."""

    scan_hits: ScanHits
    raw: bytes
    regions: list[BufferRegion]
    open_passage: OpenPassage | None


class CompiledScanner:
    """Takes documents, piece by piece, and keeps a tally."""

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
        """A document, or what of it begins at an offset; N-grams from a later one on are ours."""
        if len(self._regions) == MAX_DOCUMENTS:
            self._flush_buffer()
        position = self._fill
        ngrams_from = position if begin is None else position + begin - offset
        self._regions.append(
            BufferRegion(document, offset - position, position, ngrams_from, position)
        )
        self.scan_hits.documents += begin is None

    def feed(self, data: bytes | memoryview) -> None:
        """More of the document."""
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
        """N-grams that begin at this byte of the document or later are not ours."""
        if self._regions:
            self._regions[-1].until = offset

    def end_document(self) -> None:
        """The document ends here."""
        if self._regions:
            self._regions[-1].is_open = False

    def finish(self) -> ScanHits:
        """All is read, or all that could be: what was found."""
        self.end_document()
        self._flush_buffer()
        self._collector.close_passage()
        self.scan_hits.prune_passages()
        return self.scan_hits

    def dump_state(self) -> bytes:
        """For another that goes on from here; as JSON, which is soon made, however much it is."""
        raw = self._raw[: self._fill].tobytes()
        return msgspec.json.encode(
            ScannerState(self.scan_hits, raw, self._regions, self._collector.open_passage)
        )

    def restore_state(self, data: bytes) -> None:
        """Go on from there."""
        state = msgspec.json.decode(data, type=ScannerState)
        self.scan_hits, self._regions = state.scan_hits, state.regions
        self._collector = PassageCollector(self._shard, self.scan_hits)
        self._collector.open_passage = state.open_passage
        while self._chunk_size < len(state.raw):
            self._grow_buffer()
        self._fill = len(state.raw)
        self._raw[: self._fill] = np.frombuffer(state.raw, np.uint8)

    def bytes_around(self, start: int, end: int) -> tuple[int, bytes]:
        """Bytes of the document whose hits are being put down."""
        region = self._current
        low = max(region.floor, start - region.base)
        raw = self._raw[low : max(low, min(region.end, end - region.base))].tobytes()
        front, text_bytes = trim_partial_chars(raw)
        return region.base + low + front, text_bytes

    def _flush_buffer(self) -> None:
        """Scan what is in the buffer, and keep what is to be looked at again."""
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
        """Where N-grams begin that are looked for now, up to where, and where the text ends."""
        if region.begin > region.end:  # of what is ours nothing is there yet
            return region.end, region.end, region.end
        end = self._last_complete_char(region.begin, region.end) if region.is_open else region.end
        begin = min(region.begin, end)
        if region.mid_word:
            begin = self._skip_word(begin, end)
            region.mid_word = begin == end
        limit = self._find_cut(region, begin, end) if region.is_open and begin < end else end
        if region.until is not None and limit >= region.until - region.base:
            limit = max(begin, region.until - region.base)
            region.is_open = False  # what follows is not ours
        return begin, limit, end

    def _decode_range(self, begin: int, end: int) -> str:
        """Text whose every character stands for the bytes it was read from."""
        return self._raw[begin:end].tobytes().decode("utf-8", "surrogateescape")

    def _skip_word(self, begin: int, end: int) -> int:
        """Behind what is left of a word."""
        match = self._index.pattern.match(text := self._decode_range(begin, end))
        return begin + _byte_size(text[: match.end()]) if match else begin

    def _last_complete_char(self, begin: int, end: int) -> int:
        """An end that cuts no character in two."""
        tail_start = max(begin, end - 4)
        return (
            tail_start + len(trim_partial_chars(b" " + self._raw[tail_start:end].tobytes())[1]) - 1
        )

    def _find_cut(self, region: BufferRegion, begin: int, end: int) -> int:
        """Behind the last blank that has enough words and text behind it."""
        distance = self._index.margin
        while (last := end - distance) > begin:
            low = max(begin, last - distance)
            window = self._raw[low:last].tobytes()
            position = max(window.rfind(space) for space in _SPACES)
            if position >= 0 and self._has_enough_words(low + position + 1, end):
                return low + position + 1
            distance *= 2
        return self._cut_between_words(region, begin, end)

    def _has_enough_words(self, position: int, end: int) -> bool:
        """Whether from a place on there are as many whole words as the longest N-gram has."""
        words = self._index.pattern.finditer(self._decode_range(position, end))
        longest = self._index.lookup.longest
        return sum(1 for _ in islice(words, longest + 1)) > longest  # the last may go on

    def _cut_between_words(self, region: BufferRegion, begin: int, end: int) -> int:
        """The same for text in which blanks are few, or words; if need be, in more room."""
        text = self._decode_range(begin, end)
        starts = [match.start() for match in self._index.pattern.finditer(text)]
        cuts = starts[: max(0, len(starts) - self._index.lookup.longest)]
        max_chars = len(
            self._decode_range(
                begin, self._last_complete_char(begin, max(begin, end - self._index.margin))
            )
        )
        cuts = [start for start in cuts if 0 < start < max_chars]
        if cuts:
            return begin + _byte_size(text[: cuts[-1]])
        if self._chunk_size < MAX_CHUNK:
            self._grow_buffer()
            return begin
        # a word of so many bytes is in no index; a gap of so many parts a text
        word_continues = starts and self._index.pattern.fullmatch(text, starts[-1])
        region.mid_word = bool(word_continues) and starts[-1] == 0
        return (
            begin + _byte_size(text[: starts[-1]])
            if word_continues and not region.mid_word
            else end
        )

    def _grow_buffer(self) -> None:
        """Twice the room, for text in which words are few."""
        extra = np.zeros(self._chunk_size, np.uint8)
        self._raw = np.concatenate([self._raw, extra])
        self._lowered = np.concatenate([self._lowered, extra]) if self._by_word else self._raw
        self._chunk_size *= 2

    def _carry_over(self, region: BufferRegion, limit: int) -> None:
        """Move what is left of the last region to the front of the buffer."""
        floor = max(region.floor, limit - self._index.margin)
        carried = self._raw[floor : self._fill].copy()
        self._raw[: carried.size] = carried
        self._fill = carried.size
        region.base += floor
        region.floor, region.begin, region.end = 0, max(region.begin, limit) - floor, self._fill
        self._regions = [region]

    def _find_hits(self, region_bounds: list[tuple[int, int, int]]) -> list[list[ByteHit]]:
        """The hits of every region, in the order of where they begin."""
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
        """How many hits there are, and rare characters, and what is no UTF-8."""
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
        """The hits around some characters, as Python reads them, with what stands before."""
        all_hits, (begin, limit, end) = set[ByteHit](), bounds
        for first, last in _cluster_positions(positions, self._index.margin):
            low, high = self._context_start(first, floor), self._context_end(last, end)
            hits = self._index.fallback.find_hits(self._raw[low:high].tobytes())
            all_hits |= {
                (gram, low + a, low + b) for gram, a, b in hits if begin <= low + a < limit
            }
        return all_hits

    def _context_start(self, position: int, begin: int) -> int:
        """Where a word begins, behind a blank, far enough before a place for any N-gram."""
        size = 32 * self._index.lookup.longest
        while (low := position - size) > begin:
            text = self._decode_range(low, position)
            starts = [match.start() for match in self._index.pattern.finditer(text)]
            for start in reversed(starts[1 : -self._index.lookup.longest]):
                if text[start - 1] in " \n\t\r":
                    return low + _byte_size(text[:start])
            size *= 2
        return begin

    def _context_end(self, position: int, end: int) -> int:
        """Where a word begins, behind a blank, far enough behind a place for any N-gram."""
        size = 32 * self._index.lookup.longest
        while (high := position + size) < end:
            text = self._decode_range(position, high)
            starts = [match.start() for match in self._index.pattern.finditer(text)]
            for start in starts[self._index.lookup.longest + 2 :]:
                if text[start - 1] in " \n\t\r":
                    return position + _byte_size(text[:start])
            size *= 2
        return end


def _cluster_positions(positions: list[int], gap: int) -> list[tuple[int, int]]:
    """First and last of places that lie close together."""
    clusters: list[tuple[int, int]] = []
    for position in positions:
        if clusters and position - clusters[-1][1] <= gap:
            clusters[-1] = clusters[-1][0], position
        else:
            clusters.append((position, position))
    return clusters


def _byte_size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
