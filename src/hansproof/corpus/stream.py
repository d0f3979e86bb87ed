"""The bytes of a source, unpacked, block by block; up to where it is torn, if it is."""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Iterator
from typing import Any, Protocol

from ..errors import first_line
from .sources import Source, changed, opened
from .text import Torn

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError

BLOCK = 1 << 19  # bytes
CHANGED = "was changed while it was scanned"
MEMORY = 1 << 27  # that unpacking may take: the most that a stream of zstd or xz may ask for

_TORN = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, ZstdError)
_PADDING = {"gz": b"\0", "xz": b"\0"}


class _Unpacking(Protocol):
    """What bz2, lzma and zstd have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """zlib's, made like the others."""

    def __init__(self) -> None:
        self._inner: Any = zlib.decompressobj(wbits=31)
        self._tail = b""

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof)

    @property
    def needs_input(self) -> bool:
        return not self._tail

    @property
    def unused_data(self) -> bytes:
        return bytes(self._inner.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        found = self._inner.decompress(self._tail + data, max_length)
        self._tail = self._inner.unconsumed_tail
        return bytes(found)


def _unpacking(packing: str) -> _Unpacking:
    if packing == "gz":
        return _Gzip()
    if packing == "bz2":
        return bz2.BZ2Decompressor()
    if packing == "xz":
        return lzma.LZMADecompressor(memlimit=MEMORY)
    return ZstdDecompressor()


class Stream:
    """A source that is read once; `at` says how many of its bytes were read."""

    def __init__(self, source: Source) -> None:
        self.source, self.at = source, 0

    def blocks(self, start: int = 0, end: int | None = None, before: int = 0) -> Iterator[bytes]:
        """What it holds, from a byte on if it is not packed. Raises Torn after the last good one.

        `before`: so many bytes that come before are given, too. A file that is not what it was
        when it was listed is torn; `end` is up to where it is wanted, to say what is missing.
        """
        place, given = max(0, start - before), 0
        try:
            with opened(self.source) as raw:
                if place:
                    raw.seek(place)
                self.at = place
                for block in self._unpacked(self._read(raw)):
                    yield block
                    given += len(block)
        except _TORN as error:
            what = getattr(error, "strerror", None) or first_line(error)
            raise Torn(f"cannot be read on: {what}", max(start, place + given)) from None
        self._same(max(start, place + given), end)

    def _read(self, raw: Any) -> Iterator[bytes]:
        """Blocks of one size, the last one aside: a scan that goes on counts them."""
        size = self.source.size
        while block := _some(raw, BLOCK if size is None else min(BLOCK, max(0, size - self.at))):
            self.at += len(block)
            yield block

    def _unpacked(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        if not self.source.packing:
            yield from blocks
            return
        unpacking, whole = _unpacking(self.source.packing), True
        for block in blocks:
            rest = block
            while rest or not unpacking.needs_input:
                if whole and not (rest := rest.lstrip(_PADDING.get(self.source.packing, b""))):
                    break
                whole = False
                if found := unpacking.decompress(rest, BLOCK):
                    yield found
                rest = b""
                if unpacking.eof:  # another may follow, packed for itself
                    rest, unpacking, whole = (
                        unpacking.unused_data, _unpacking(self.source.packing), True,
                    )  # fmt: skip
        if not whole:
            raise EOFError("it ends in the middle of what was packed")

    def _same(self, at: int, end: int | None) -> None:
        """Whether a file on this machine is still what it was when the scan began."""
        source = self.source
        if source.size is not None and self.at < source.size:
            left = max(0, (source.size if end is None else end) - at)
            what = "is shorter than it was when the scan began"
            raise Torn(what, at, None if source.packing else left)
        if changed(source):
            raise Torn(CHANGED)


def _some(raw: Any, size: int) -> bytes:
    """So many bytes, fewer only at the end: a pipe gives them as they come."""
    found = bytes(raw.read(size))
    while len(found) < size and (more := raw.read(size - len(found))):
        found += more
    return found
