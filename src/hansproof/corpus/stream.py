"""Reads a source block by block, decompressed, as far as that is possible."""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Iterator
from typing import Any, Protocol

from ..errors import first_line
from .chunks import UnreadableSource
from .sources import CorpusSource, has_changed, open_source

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError

BLOCK_SIZE = 1 << 19  # bytes
CHANGED = "changed while it was scanned"
MAX_MEMORY = 1 << 27  # bytes that a zstd or xz stream may need for decompression

_READ_ERRORS = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, ZstdError)
_PADDING = {"gz": b"\0", "xz": b"\0"}


class _Decompressor(Protocol):
    """The interface that the decompressors of bz2, lzma and zstd share."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _GzipDecompressor:
    """zlib's decompressor, with the interface of the others."""

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
        unpacked = self._inner.decompress(self._tail + data, max_length)
        self._tail = self._inner.unconsumed_tail
        return bytes(unpacked)


def _make_decompressor(compression: str) -> _Decompressor:
    if compression == "gz":
        return _GzipDecompressor()
    if compression == "bz2":
        return bz2.BZ2Decompressor()
    if compression == "xz":
        return lzma.LZMADecompressor(memlimit=MAX_MEMORY)
    return ZstdDecompressor()


class SourceStream:
    """A source that is read once; `bytes_read` counts its bytes so far."""

    def __init__(self, source: CorpusSource) -> None:
        self.source, self.bytes_read = source, 0

    def read_blocks(
        self, start: int = 0, end: int | None = None, context: int = 0
    ) -> Iterator[bytes]:
        """Yield blocks, from byte `start` on if the source is not compressed.

        `context` bytes before the start are included. Raises UnreadableSource after the last good
        block, also if the file has changed since it was listed; `end`, up to where the text is
        needed, serves to count the missing bytes.
        """
        position, n_yielded = max(0, start - context), 0
        try:
            with open_source(self.source) as raw:
                if position:
                    raw.seek(position)
                self.bytes_read = position
                for block in self._unpack_blocks(self._raw_blocks(raw)):
                    yield block
                    n_yielded += len(block)
        except _READ_ERRORS as error:
            reason = getattr(error, "strerror", None) or first_line(error)
            raise UnreadableSource(
                f"cannot be read further: {reason}", max(start, position + n_yielded)
            ) from None
        self._check_unchanged(max(start, position + n_yielded), end)

    def _raw_blocks(self, raw: Any) -> Iterator[bytes]:
        """Yield blocks of constant size, except for the last: a scan that resumes counts them."""
        size = self.source.size
        while block := _read_fully(
            raw, BLOCK_SIZE if size is None else min(BLOCK_SIZE, max(0, size - self.bytes_read))
        ):
            self.bytes_read += len(block)
            yield block

    def _unpack_blocks(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        if not self.source.compression:
            yield from blocks
            return
        decompressor, at_boundary = _make_decompressor(self.source.compression), True
        for block in blocks:
            pending = block
            while pending or not decompressor.needs_input:
                if at_boundary and not (
                    pending := pending.lstrip(_PADDING.get(self.source.compression, b""))
                ):
                    break
                at_boundary = False
                if unpacked := decompressor.decompress(pending, BLOCK_SIZE):
                    yield unpacked
                pending = b""
                if decompressor.eof:  # another compressed stream may follow
                    pending, decompressor, at_boundary = (
                        decompressor.unused_data, _make_decompressor(self.source.compression), True,
                    )  # fmt: skip
        if not at_boundary:
            raise EOFError("the compressed data is truncated")

    def _check_unchanged(self, position: int, end: int | None) -> None:
        """Raise UnreadableSource if a local file is not what it was when the scan began."""
        source = self.source
        if source.size is not None and self.bytes_read < source.size:
            missing = max(0, (source.size if end is None else end) - position)
            message = "is shorter than when the scan began"
            raise UnreadableSource(message, position, None if source.compression else missing)
        if has_changed(source):
            raise UnreadableSource(CHANGED)


def _read_fully(raw: Any, size: int) -> bytes:
    """Read `size` bytes, fewer only at the end; a pipe returns fewer at a time."""
    data = bytes(raw.read(size))
    while len(data) < size and (more := raw.read(size - len(data))):
        data += more
    return data
