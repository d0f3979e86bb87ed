"""Zip archives: each member that ends in `.txt` or has no extension is a document.

Nothing is extracted to disk, and no name in the archive is used as the name of a file.
"""

from __future__ import annotations

import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator

from ...errors import first_line
from ..chunks import EndOfSource, ReadIssue, TextChunk, UnreadableSource
from ..sources import CorpusSource, has_changed, open_source
from ..stream import BLOCK_SIZE, CHANGED

# RuntimeError: encrypted; NotImplementedError, a subclass: unknown compression
_READ_ERRORS = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError,
)  # fmt: skip


def read_documents(
    source: CorpusSource, start: int, end: int | None, field: str
) -> Iterator[TextChunk | ReadIssue | EndOfSource]:
    """Yield the texts in an archive."""
    number = 0
    try:
        with open_source(source) as raw, zipfile.ZipFile(raw) as archive:
            for info in filter(_is_text, archive.infolist()):
                number += 1
                yield from _read_member(archive, info, number)
    except _READ_ERRORS as error:
        raise UnreadableSource(
            f"cannot be read further: {first_line(error)}", number + 1, unit_name="members"
        ) from None
    if has_changed(source):
        raise UnreadableSource(CHANGED, unit_name="members")
    yield EndOfSource(number)


def _is_text(info: zipfile.ZipInfo) -> bool:
    name = os.path.basename(info.filename)
    return bool(name) and name[0] != "." and os.path.splitext(name)[1].lower() in ("", ".txt")


def _read_member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, number: int
) -> Iterator[TextChunk | ReadIssue]:
    """Yield a document, as far as it can be read."""
    first, bytes_read = True, info.header_offset
    try:
        with archive.open(info) as stream:
            while block := stream.read(BLOCK_SIZE):
                yield TextChunk(number, block, first, False, bytes_read)
                first = False
    except _READ_ERRORS as error:
        yield ReadIssue(
            f"members that cannot be read further: {first_line(error)}", number, 1, "members"
        )
    yield TextChunk(number, b"", first, True, bytes_read + info.compress_size)
