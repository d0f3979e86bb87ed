"""Zip archives: each member that ends in `.txt` or has no ending is a document.

Nothing is unpacked onto the disk, and no name in the archive is used as one of a file.
"""

from __future__ import annotations

import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator

from ..errors import first_line
from .sources import Source, changed, opened
from .stream import BLOCK, CHANGED
from .text import End, Problem, Text, Torn

# RuntimeError: packed with a password; NotImplementedError: in an unknown way
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError,
)  # fmt: skip


def read(source: Source) -> Iterator[Text | Problem | End]:
    """The texts in a file."""
    number = 0
    try:
        with opened(source) as raw, zipfile.ZipFile(raw) as archive:
            for info in filter(_is_text, archive.infolist()):
                number += 1
                yield from _member(archive, info, number)
    except _BROKEN as error:
        raise Torn(f"cannot be read on: {first_line(error)}", number + 1, of="members") from None
    if changed(source):
        raise Torn(CHANGED, of="members")
    yield End(number)


def _is_text(info: zipfile.ZipInfo) -> bool:
    name = os.path.basename(info.filename)
    return bool(name) and name[0] != "." and os.path.splitext(name)[1].lower() in ("", ".txt")


def _member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, number: int
) -> Iterator[Text | Problem]:
    """A document, as far as it can be read."""
    first, at = True, info.header_offset
    try:
        with archive.open(info) as stream:
            while block := stream.read(BLOCK):
                yield Text(number, block, first, False, at)
                first = False
    except _BROKEN as error:
        yield Problem(f"members that cannot be read on: {first_line(error)}", number, 1, "members")
    yield Text(number, b"", first, True, at + info.compress_size)
