"""Plain text: a file is a document.

A part of a file begins and ends behind a blank, the first at its nominal place or later, so that
neighbours agree. Files that continue each other, as `split` makes them, are read as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..records import TextChunk, UnreadableSource
from ..sources import CorpusSource
from ..stream import SourceStream

CONTEXT = 1 << 11  # bytes before a part that are shown, but not scanned
MAX_TAIL = 1 << 23  # bytes read behind a part, where words are few
_SPACE = re.compile(rb"[\t-\r\x1c- ]")

EnoughTail = Callable[[bytes], bool]  # whether text behind a part will do


@dataclass(slots=True)
class _TextBlock:
    """Bytes, where they stand in the text, and how much of the source is read."""

    position: int
    data: bytes
    bytes_read: int
    in_first_source: bool = True  # not of a source that follows


def read_documents(
    sources: Sequence[CorpusSource],
    start: int,
    end: int | None,
    mid_word: bool,
    is_enough: EnoughTail,
) -> Iterator[TextChunk]:
    """Pieces of a part of the first source; of what follows, as much as is needed to end it.

    No `end`: that of the source. `within`: it may begin in the middle of a word.
    """
    blocks = _chain_blocks(sources, start, end, CONTEXT if mid_word else 0)
    first, begin, until, tail = True, None, None, b""
    if mid_word:
        first_block, begin = _seek_space(blocks, start, end)
        if first_block is None:
            return
        blocks = _prepend_block(first_block, blocks)
    for block in blocks:
        if end is None and not block.in_first_source:
            end = block.position
        if until is None and end is not None and block.position + len(block.data) > end:
            space = _SPACE.search(block.data, max(0, end - block.position))
            until = None if space is None else block.position + space.end()
        data, is_complete = block.data, False
        if until is not None:
            own_size = max(0, until - block.position)
            extra, is_complete = _take_tail(tail, data[own_size:], is_enough)
            data, tail = data[:own_size] + extra, tail + extra
        yield TextChunk(0, data, first, False, block.bytes_read, block.position, begin, until)
        first = False
        if is_complete:
            break
    if not first:
        yield TextChunk(0, b"", False, True, ngrams_until=until)


def _take_tail(tail: bytes, following: bytes, is_enough: EnoughTail) -> tuple[bytes, bool]:
    """Of what comes behind a part no more than is needed; and whether that will do."""
    size = CONTEXT
    while size < len(following) and not is_enough(tail + following[:size]):
        size *= 2
    tail += following[:size]
    return following[:size], size < len(following) or is_enough(tail) or len(tail) > MAX_TAIL


def _chain_blocks(
    sources: Sequence[CorpusSource], start: int, end: int | None, context: int
) -> Iterator[_TextBlock]:
    """The blocks of the first source from shortly before a byte on, then those of the others."""
    position = max(0, start - context)
    first_stream, *later_streams = (SourceStream(source) for source in sources)
    for data in first_stream.read_blocks(start, end, context):
        yield _TextBlock(position, data, first_stream.bytes_read)
        position += len(data)
    for stream in later_streams:
        try:
            for data in stream.read_blocks():
                yield _TextBlock(position, data, 0, in_first_source=False)
                position += len(data)
        except UnreadableSource:
            return  # said where that source is scanned


def _seek_space(
    blocks: Iterator[_TextBlock], start: int, end: int | None
) -> tuple[_TextBlock | None, int | None]:
    """Text from shortly before the first blank at a place or later; and where that blank ends.

    None if there is no blank in all of the part: nothing begins in it.
    """
    pending: _TextBlock | None = None
    for block in blocks:
        data = block.data if pending is None else pending.data + block.data
        position = block.position - (len(data) - len(block.data))
        space = _SPACE.search(data, max(start, block.position) - position)
        pending = _TextBlock(position, data, block.bytes_read, block.in_first_source)
        if space is not None:
            return pending, position + space.end()
        if end is not None and position + len(data) >= end:
            break
        pending = _TextBlock(
            position + max(0, len(data) - CONTEXT),
            data[-CONTEXT:],
            block.bytes_read,
            block.in_first_source,
        )
    return None, None


def _prepend_block(first: _TextBlock, blocks: Iterator[_TextBlock]) -> Iterator[_TextBlock]:
    yield first
    yield from blocks
