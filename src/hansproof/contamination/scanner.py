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

from ..corpus import Problem
from .fold import PATTERNS, folding
from .grams import grams_of
from .index import Index
from .kernel import FULL, PAD, Longs, scan
from .strange import Hit, Strange
from .tally import AROUND, BROKEN, SPAN, Collector, Held, Tally, trimmed

CHUNK = 1 << 21  # bytes scanned at a time: between two, threads wait for each other
MARGIN = 2 * (AROUND + SPAN)  # bytes that stay in the buffer before and after, at least
LARGEST = 1 << 23  # bytes scanned at a time where words are few
DOCUMENTS = 1 << 14  # in the buffer at a time: some are empty
HITS = 1 << 12  # room for hits at first
_BLANKS = (b" ", b"\n", b"\t", b"\r")


class Finder:
    """An index made ready, shared by all that scan."""

    def __init__(self, index: Index) -> None:
        self.tokenizer = index.head.tokenizer
        self.grams = grams_of(index)
        self.folding = folding(self.tokenizer)
        self.strange = Strange(self.tokenizer, self.grams)
        self.pattern = re.compile(PATTERNS[self.tokenizer])
        self.margin = max(MARGIN, 2 * int(index.arrays["sizes"].max(initial=0)))


@dataclass(slots=True)
class Region:
    """A stretch of a document in the buffer."""

    document: int
    base: int  # where byte 0 of the buffer would be, in the document's text
    floor: int  # in the buffer: the first byte that is there
    begin: int  # in the buffer: where N-grams begin that were not looked for yet
    end: int
    until: int | None = None  # in the document's text: N-grams that begin later are not ours
    open: bool = True  # whether there may be more of it
    within: bool = False  # whether `begin` is in the middle of a word, which is passed over


@dataclass(frozen=True, slots=True)
class State:
    """All that a scanner knows, to go on from."""

    tally: Tally
    raw: bytes
    regions: list[Region]
    held: Held | None


class Scanner:
    """Takes documents, piece by piece, and keeps a tally."""

    def __init__(self, finder: Finder, unit: int = 0, chunk: int = CHUNK) -> None:
        self.tally = Tally()
        self._finder, self._unit = finder, unit
        self._chunk = max(chunk, 4 * finder.margin)
        self._raw = np.empty(self._chunk + PAD, np.uint8)
        self._by_word = finder.tokenizer == "word"
        self._low = np.empty_like(self._raw) if self._by_word else self._raw
        self._fill = 0
        self._regions: list[Region] = []
        self._collector = Collector(unit, self.tally)
        self._hits = np.zeros((HITS, 3), np.int64)
        self._odds = np.zeros((HITS, 2), np.int64)

    def start(self, document: int, offset: int = 0, begin: int | None = None) -> None:
        """A document, or what of it begins at an offset; N-grams from a later one on are ours."""
        if len(self._regions) == DOCUMENTS:
            self._flush()
        at = self._fill
        own = at if begin is None else at + begin - offset
        self._regions.append(Region(document, offset - at, at, own, at))
        self.tally.documents += begin is None

    def feed(self, data: bytes | memoryview) -> None:
        """More of the document."""
        data = memoryview(data)
        while len(data) and self._regions and self._regions[-1].open:
            some = data[: self._chunk - self._fill]
            self._raw[self._fill : self._fill + len(some)] = np.frombuffer(some, np.uint8)
            self._fill += len(some)
            self._regions[-1].end = self._fill
            if self._fill == self._chunk:
                self._flush()
            data = data[len(some) :]

    def until(self, offset: int) -> None:
        """N-grams that begin at this byte of the document or later are not ours."""
        if self._regions:
            self._regions[-1].until = offset

    def end(self) -> None:
        """The document ends here."""
        if self._regions:
            self._regions[-1].open = False

    def finish(self) -> Tally:
        """All is read, or all that could be: what was found."""
        self.end()
        self._flush()
        self._collector.close()
        self.tally.prune()
        return self.tally

    def state(self) -> bytes:
        """For another that goes on from here; as JSON, which is soon made, however much it is."""
        raw = self._raw[: self._fill].tobytes()
        return msgspec.json.encode(State(self.tally, raw, self._regions, self._collector.held))

    def restore(self, given: bytes) -> None:
        """Go on from there."""
        state = msgspec.json.decode(given, type=State)
        self.tally, self._regions = state.tally, state.regions
        self._collector = Collector(self._unit, self.tally)
        self._collector.held = state.held
        while self._chunk < len(state.raw):
            self._grow()
        self._fill = len(state.raw)
        self._raw[: self._fill] = np.frombuffer(state.raw, np.uint8)

    def around(self, start: int, end: int) -> tuple[int, bytes]:
        """Bytes of the document whose hits are being put down."""
        region = self._current
        low = max(region.floor, start - region.base)
        raw = self._raw[low : max(low, min(region.end, end - region.base))].tobytes()
        front, kept = trimmed(raw)
        return region.base + low + front, kept

    def _flush(self) -> None:
        """Scan what is in the buffer, and keep what is to be looked at again."""
        tasks = [self._task(region) for region in self._regions]
        for region, task, hits in zip(self._regions, tasks, self._found(tasks), strict=True):
            self.tally.bytes += max(0, task[1] - region.begin)
            self._current = region
            for gram, start, end in hits:
                hit = gram, region.base + start, region.base + end
                self._collector.take(region.document, hit, self)
        if self._regions and self._regions[-1].open:
            self._carry(self._regions[-1], tasks[-1][1])
        else:
            self._fill, self._regions = 0, []

    def _task(self, region: Region) -> tuple[int, int, int]:
        """Where N-grams begin that are looked for now, up to where, and where the text ends."""
        if region.begin > region.end:  # of what is ours nothing is there yet
            return region.end, region.end, region.end
        end = self._whole(region.begin, region.end) if region.open else region.end
        begin = min(region.begin, end)
        if region.within:
            begin = self._past_word(begin, end)
            region.within = begin == end
        limit = self._cut(region, begin, end) if region.open and begin < end else end
        if region.until is not None and limit >= region.until - region.base:
            limit = max(begin, region.until - region.base)
            region.open = False  # what follows is not ours
        return begin, limit, end

    def _text(self, begin: int, end: int) -> str:
        """Text whose every character stands for the bytes it was read from."""
        return self._raw[begin:end].tobytes().decode("utf-8", "surrogateescape")

    def _past_word(self, begin: int, end: int) -> int:
        """Behind what is left of a word."""
        match = self._finder.pattern.match(text := self._text(begin, end))
        return begin + _size(text[: match.end()]) if match else begin

    def _whole(self, begin: int, end: int) -> int:
        """An end that cuts no character in two."""
        near = max(begin, end - 4)
        return near + len(trimmed(b" " + self._raw[near:end].tobytes())[1]) - 1

    def _cut(self, region: Region, begin: int, end: int) -> int:
        """Behind the last blank that has enough words and text behind it."""
        back = self._finder.margin
        while (last := end - back) > begin:
            low = max(begin, last - back)
            near = self._raw[low:last].tobytes()
            place = max(near.rfind(blank) for blank in _BLANKS)
            if place >= 0 and self._enough(low + place + 1, end):
                return low + place + 1
            back *= 2
        return self._between_words(region, begin, end)

    def _enough(self, place: int, end: int) -> bool:
        """Whether from a place on there are as many whole words as the longest N-gram has."""
        found = self._finder.pattern.finditer(self._text(place, end))
        longest = self._finder.grams.longest
        return sum(1 for _ in islice(found, longest + 1)) > longest  # the last may go on

    def _between_words(self, region: Region, begin: int, end: int) -> int:
        """The same for text in which blanks are few, or words; if need be, in more room."""
        text = self._text(begin, end)
        starts = [match.start() for match in self._finder.pattern.finditer(text)]
        known = starts[: max(0, len(starts) - self._finder.grams.longest)]
        most = len(self._text(begin, self._whole(begin, max(begin, end - self._finder.margin))))
        known = [start for start in known if 0 < start < most]
        if known:
            return begin + _size(text[: known[-1]])
        if self._chunk < LARGEST:
            self._grow()
            return begin
        # a word of so many bytes is in no index; a gap of so many parts a text
        goes_on = starts and self._finder.pattern.fullmatch(text, starts[-1])
        region.within = bool(goes_on) and starts[-1] == 0
        return begin + _size(text[: starts[-1]]) if goes_on and not region.within else end

    def _grow(self) -> None:
        """Twice the room, for text in which words are few."""
        more = np.zeros(self._chunk, np.uint8)
        self._raw = np.concatenate([self._raw, more])
        self._low = np.concatenate([self._low, more]) if self._by_word else self._raw
        self._chunk *= 2

    def _carry(self, region: Region, limit: int) -> None:
        """Move what is left of the last region to the front of the buffer."""
        floor = max(region.floor, limit - self._finder.margin)
        kept = self._raw[floor : self._fill].copy()
        self._raw[: kept.size] = kept
        self._fill = kept.size
        region.base += floor
        region.floor, region.begin, region.end = 0, max(region.begin, limit) - floor, self._fill
        self._regions = [region]

    def _found(self, tasks: list[tuple[int, int, int]]) -> list[list[Hit]]:
        """The hits of every region, in the order of where they begin."""
        if not tasks:
            return []
        bounds = np.array(tasks, np.int64)
        count, odd, broken = self._scanned(bounds)
        self._tell_broken(broken)
        hits = self._hits[:count]
        low, high = (np.searchsorted(np.sort(hits[:, 1]), bounds[:, at]) for at in (0, 1))
        hits = hits[np.argsort(hits[:, 1], kind="stable")]
        found = [
            {(gram, start, end) for gram, start, end in hits[a:b].tolist()}
            for a, b in zip(low.tolist(), high.tolist(), strict=True)
        ]
        for at, places in groupby(self._odds[:odd].tolist(), key=lambda pair: pair[0]):
            some = [place for _, place in places]
            found[at] |= self._strangely(some, self._regions[at].floor, tasks[at])
        return [sorted(some, key=lambda hit: (hit[1], hit[2], hit[0])) for some in found]

    def _scanned(self, bounds: Longs) -> tuple[int, int, Longs]:
        """How many hits there are, and rare characters, and what is no UTF-8."""
        finder = self._finder
        while True:
            broken = np.full((len(bounds), 2), (0, -1), np.int64)
            count, words, odd = scan(
                self._raw, self._low, bounds, self._by_word, finder.folding, finder.grams,
                self._hits, self._odds, broken,
            )  # fmt: skip
            if count != FULL:
                self.tally.words += words
                return count, odd, broken
            self._hits = np.zeros((4 * len(self._hits), 3), np.int64)
            self._odds = np.zeros((4 * len(self._odds), 2), np.int64)

    def _tell_broken(self, broken: Longs) -> None:
        for region, (size, first) in zip(self._regions, broken.tolist(), strict=True):
            if size:
                at = region.base + first
                self.tally.tell(Problem(BROKEN, at, size, unit=self._unit, lost=False))

    def _strangely(self, places: list[int], floor: int, task: tuple[int, int, int]) -> set[Hit]:
        """The hits around some characters, as Python reads them, with what stands before."""
        found, (begin, limit, end) = set[Hit](), task
        for first, last in _clusters(places, self._finder.margin):
            low, high = self._before(first, floor), self._behind(last, end)
            hits = self._finder.strange.hits(self._raw[low:high].tobytes())
            found |= {(gram, low + a, low + b) for gram, a, b in hits if begin <= low + a < limit}
        return found

    def _before(self, place: int, begin: int) -> int:
        """Where a word begins, behind a blank, far enough before a place for any N-gram."""
        size = 32 * self._finder.grams.longest
        while (low := place - size) > begin:
            text = self._text(low, place)
            starts = [at.start() for at in self._finder.pattern.finditer(text)]
            for start in reversed(starts[1 : -self._finder.grams.longest]):
                if text[start - 1] in " \n\t\r":
                    return low + _size(text[:start])
            size *= 2
        return begin

    def _behind(self, place: int, end: int) -> int:
        """Where a word begins, behind a blank, far enough behind a place for any N-gram."""
        size = 32 * self._finder.grams.longest
        while (high := place + size) < end:
            text = self._text(place, high)
            starts = [at.start() for at in self._finder.pattern.finditer(text)]
            for start in starts[self._finder.grams.longest + 2 :]:
                if text[start - 1] in " \n\t\r":
                    return place + _size(text[:start])
            size *= 2
        return end


def _clusters(places: list[int], gap: int) -> list[tuple[int, int]]:
    """First and last of places that lie close together."""
    found: list[tuple[int, int]] = []
    for place in places:
        if found and place - found[-1][1] <= gap:
            found[-1] = found[-1][0], place
        else:
            found.append((place, place))
    return found


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
