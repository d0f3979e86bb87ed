"""Plain text: a file is a document.

A part of a file begins and ends behind a blank, the first at its nominal place or later, so that
neighbours agree. Files that continue each other, as `split` makes them, are read as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .sources import Source
from .stream import Stream
from .text import Text, Torn

CONTEXT = 1 << 11  # bytes before a part that are shown, but not scanned
MOST = 1 << 23  # bytes read behind a part, where words are few
_BLANK = re.compile(rb"[\t-\r\x1c- ]")

Enough = Callable[[bytes], bool]  # whether text behind a part will do


@dataclass(slots=True)
class _Block:
    """Bytes, where they stand in the text, and how much of the source is read."""

    place: int
    data: bytes
    at: int
    own: bool = True  # not of a source that follows


def read(
    sources: Sequence[Source], start: int, end: int | None, within: bool, enough: Enough
) -> Iterator[Text]:
    """Pieces of a part of the first source; of what follows, as much as is needed to end it.

    No `end`: that of the source. `within`: it may begin in the middle of a word.
    """
    blocks = _chained(sources, start, end, CONTEXT if within else 0)
    first, begin, until, tail = True, None, None, b""
    if within:
        found, begin = _from_blank(blocks, start, end)
        if found is None:
            return
        blocks = _with(found, blocks)
    for block in blocks:
        if end is None and not block.own:
            end = block.place
        if until is None and end is not None and block.place + len(block.data) > end:
            blank = _BLANK.search(block.data, max(0, end - block.place))
            until = None if blank is None else block.place + blank.end()
        data, done = block.data, False
        if until is not None:
            own = max(0, until - block.place)
            some, done = _ended(tail, data[own:], enough)
            data, tail = data[:own] + some, tail + some
        yield Text(0, data, first, False, block.at, block.place, begin, until)
        first = False
        if done:
            break
    if not first:
        yield Text(0, b"", False, True, until=until)


def _ended(tail: bytes, more: bytes, enough: Enough) -> tuple[bytes, bool]:
    """Of what comes behind a part no more than is needed; and whether that will do."""
    size = CONTEXT
    while size < len(more) and not enough(tail + more[:size]):
        size *= 2
    tail += more[:size]
    return more[:size], size < len(more) or enough(tail) or len(tail) > MOST


def _chained(
    sources: Sequence[Source], start: int, end: int | None, before: int
) -> Iterator[_Block]:
    """The blocks of the first source from shortly before a byte on, then those of the others."""
    place = max(0, start - before)
    first, *others = (Stream(source) for source in sources)
    for data in first.blocks(start, end, before):
        yield _Block(place, data, first.at)
        place += len(data)
    for other in others:
        try:
            for data in other.blocks():
                yield _Block(place, data, 0, own=False)
                place += len(data)
        except Torn:
            return  # said where that source is scanned


def _from_blank(
    blocks: Iterator[_Block], start: int, end: int | None
) -> tuple[_Block | None, int | None]:
    """Text from shortly before the first blank at a place or later; and where that blank ends.

    None if there is no blank in all of the part: nothing begins in it.
    """
    held: _Block | None = None
    for block in blocks:
        data = block.data if held is None else held.data + block.data
        place = block.place - (len(data) - len(block.data))
        blank = _BLANK.search(data, max(start, block.place) - place)
        held = _Block(place, data, block.at, block.own)
        if blank is not None:
            return held, place + blank.end()
        if end is not None and place + len(data) >= end:
            break
        held = _Block(place + max(0, len(data) - CONTEXT), data[-CONTEXT:], block.at, block.own)
    return None, None


def _with(first: _Block, others: Iterator[_Block]) -> Iterator[_Block]:
    yield first
    yield from others
