"""Web archives: each record of text is a document, as in the WET files of Common Crawl.

Records of other types (responses of servers, which are pages and not text) are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..chunks import EndOfSource, ReadIssue, TextChunk, UnreadableSource
from ..sources import CorpusSource
from ..stream import SourceStream

MAX_HEADER = 1 << 16  # bytes
_TEXT_TYPES = (b"conversion", b"resource")
_IGNORED_TYPES = (b"warcinfo", b"metadata", b"request")  # describe other records
_KNOWN_TYPES = (b"response", b"revisit", b"continuation", *_TEXT_TYPES)


class _WarcReader:
    """Reads the headers and contents of records from a stream."""

    def __init__(self, stream: SourceStream) -> None:
        self._blocks = stream.read_blocks()
        self._buffer, self._start = b"", 0  # bytes before the start are used up
        self.position = 0

    def read_block(self) -> bool:
        """Read a block; return False at the end."""
        block = next(self._blocks, b"")
        self._buffer, self._start = self._buffer[self._start :] + block, 0
        return bool(block)

    def read_header(self) -> dict[bytes, bytes] | None:
        """Return the header of the next record; None at the end."""
        self._skip_line_breaks()
        while (header_end := self._buffer.find(b"\r\n\r\n", self._start)) < 0:
            if self._count_buffered() > MAX_HEADER or not self.read_block():
                if self._buffer[self._start :].strip():
                    raise UnreadableSource("is not a web archive from here on", self.position)
                return None
            self._skip_line_breaks()
        raw = self._take_bytes(header_end + 4 - self._start)
        first, *lines = raw.split(b"\r\n")
        if not first.startswith(b"WARC/"):
            raise UnreadableSource("is not a web archive from here on", self.position - len(raw))
        pairs = (line.partition(b":") for line in lines)
        return {name.strip().lower(): value.strip() for name, _, value in pairs}

    def read_payload(self, size: int) -> Iterator[bytes]:
        """Yield the next `size` bytes."""
        while size:
            if not self._count_buffered() and not self.read_block():
                raise UnreadableSource("ends in the middle of a record", self.position, size)
            chunk = self._take_bytes(min(size, self._count_buffered()))
            size -= len(chunk)
            yield chunk

    def _count_buffered(self) -> int:
        return len(self._buffer) - self._start

    def _take_bytes(self, size: int) -> bytes:
        data = self._buffer[self._start : self._start + size]
        self._start, self.position = self._start + size, self.position + size
        return data

    def _skip_line_breaks(self) -> None:
        while self._buffer[self._start : self._start + 1] in (b"\r", b"\n"):
            self._start, self.position = self._start + 1, self.position + 1


def read_documents(
    source: CorpusSource, start: int, end: int | None, field: str
) -> Iterator[TextChunk | ReadIssue | EndOfSource]:
    """Yield the records of a file."""
    stream = SourceStream(source)
    reader, number = _WarcReader(stream), 0
    while (header := reader.read_header()) is not None:
        number += 1
        size = _content_length(header, reader.position)
        record_type = header.get(b"warc-type", b"").lower()
        is_text = record_type in _TEXT_TYPES and header.get(
            b"content-type", b"text/plain"
        ).startswith(b"text/plain")
        if not is_text and record_type not in _IGNORED_TYPES:
            type_name = record_type.decode() if record_type in _KNOWN_TYPES else "another kind"
            yield ReadIssue(
                f"skipped records of {type_name}, which are not text", number, 1, "records"
            )
        first = True
        for chunk in reader.read_payload(size):
            if is_text:
                yield TextChunk(number, chunk, first, False, stream.bytes_read)
                first = False
        if is_text:
            yield TextChunk(number, b"", first, True, stream.bytes_read)
    yield EndOfSource(number)


def _content_length(header: dict[bytes, bytes], position: int) -> int:
    raw = header.get(b"content-length", b"")
    if not raw.isdigit() or len(raw) > 15:
        raise UnreadableSource("has a record without a length", position)
    return int(raw)
