"""Plain text: a file is a document.

A shard of a file begins and ends after a space: the first one at its nominal start or end, or
later, so that neighbours agree. Files that continue each other, as `split` writes them, are read
as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..chunks import TextChunk, UnreadableSource
from ..sources import CorpusSource
from ..stream import SourceStream

CONTEXT = 1 << 11  # bytes before a shard that are read, but not scanned
MAX_TAIL = 1 << 23  # bytes read after a shard, in text with few words
_SPACE = re.compile(rb"[\t-\r\x1c- ]")

EnoughTail = Callable[[bytes], bool]  # whether enough text after a shard has been read


@dataclass(slots=True)
class _TextBlock:
    """Bytes, their position in the text, and how many bytes of the source have been read."""

    position: int
    data: bytes
    bytes_read: int
    in_first_source: bool = True  # False: from a source that continues it


def read_documents(
    sources: Sequence[CorpusSource],
    start: int,
    end: int | None,
    mid_word: bool,
    is_enough: EnoughTail,
) -> Iterator[TextChunk]:
    """Yield a range of the first source, and as much of the following text as is needed.

    `end` None is the end of the source. With `mid_word`, `start` may be in the middle of a word.
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
    """Take as much of the following text as is needed; return it, and whether it is enough."""
    size = CONTEXT
    while size < len(following) and not is_enough(tail + following[:size]):
        size *= 2
    tail += following[:size]
    return following[:size], size < len(following) or is_enough(tail) or len(tail) > MAX_TAIL


def _chain_blocks(
    sources: Sequence[CorpusSource], start: int, end: int | None, context: int
) -> Iterator[_TextBlock]:
    """Yield the blocks of the first source, with some context before, then those of the others."""
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
            return  # reported when that source is scanned


def _seek_space(
    blocks: Iterator[_TextBlock], start: int, end: int | None
) -> tuple[_TextBlock | None, int | None]:
    """Return a block with the first space at `start` or later, and where that space ends.

    None, None if there is no space in the range: no word begins in it.
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
