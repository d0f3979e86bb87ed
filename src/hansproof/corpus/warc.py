"""Web archives: every record of text is a document, as in the WET files of Common Crawl.

Records of other kinds (answers of servers, which are pages and not text) are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

from .sources import Source
from .stream import Stream
from .text import End, Problem, Text, Torn

HEAD = 1 << 16  # bytes of the longest head of a record
_KINDS = (b"conversion", b"resource")
_ASIDE = (b"warcinfo", b"metadata", b"request")  # say something about others
_OTHERS = (b"response", b"revisit", b"continuation", *_KINDS)


class _Reader:
    """Bytes of a stream, as many at a time as are wanted."""

    def __init__(self, stream: Stream) -> None:
        self._blocks = stream.blocks()
        self._held, self._from = b"", 0  # what was read, and how much of it was taken
        self.place = 0

    def more(self) -> bool:
        """Read a block; whether there was one."""
        block = next(self._blocks, b"")
        self._held, self._from = self._held[self._from :] + block, 0
        return bool(block)

    def head(self) -> dict[bytes, bytes] | None:
        """The head of the next record; None at the end."""
        self._pass_breaks()
        while (over := self._held.find(b"\r\n\r\n", self._from)) < 0:
            if self._left() > HEAD or not self.more():
                if self._held[self._from :].strip():
                    raise Torn("is no web archive from here on", self.place)
                return None
            self._pass_breaks()
        raw = self._taken(over + 4 - self._from)
        first, *lines = raw.split(b"\r\n")
        if not first.startswith(b"WARC/"):
            raise Torn("is no web archive from here on", self.place - len(raw))
        pairs = (line.partition(b":") for line in lines)
        return {name.strip().lower(): value.strip() for name, _, value in pairs}

    def pieces(self, size: int) -> Iterator[bytes]:
        """So many bytes."""
        while size:
            if not self._left() and not self.more():
                raise Torn("ends in the middle of a record", self.place, size)
            piece = self._taken(min(size, self._left()))
            size -= len(piece)
            yield piece

    def _left(self) -> int:
        return len(self._held) - self._from

    def _taken(self, size: int) -> bytes:
        taken = self._held[self._from : self._from + size]
        self._from, self.place = self._from + size, self.place + size
        return taken

    def _pass_breaks(self) -> None:
        while self._held[self._from : self._from + 1] in (b"\r", b"\n"):
            self._from, self.place = self._from + 1, self.place + 1


def read(source: Source) -> Iterator[Text | Problem | End]:
    """The records of a file."""
    stream = Stream(source)
    reader, number = _Reader(stream), 0
    while (head := reader.head()) is not None:
        number += 1
        size = _size(head, reader.place)
        kind = head.get(b"warc-type", b"").lower()
        text = kind in _KINDS and head.get(b"content-type", b"text/plain").startswith(b"text/plain")
        if not text and kind not in _ASIDE:
            said = kind.decode() if kind in _OTHERS else "another kind"
            yield Problem(f"records of {said}, which are no text", number, 1, "records")
        first = True
        for piece in reader.pieces(size):
            if text:
                yield Text(number, piece, first, False, stream.at)
                first = False
        if text:
            yield Text(number, b"", first, True, stream.at)
    yield End(number)


def _size(head: dict[bytes, bytes], place: int) -> int:
    raw = head.get(b"content-length", b"")
    if not raw.isdigit() or len(raw) > 15:
        raise Torn("has a record without a length", place)
    return int(raw)
