"""Unpacks compressed files and archives in memory, up to a limit."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from ..download.archive import ARCHIVE_ERRORS, ArchiveMember, check_member, tar_member, zip_member
from ..errors import BadInput

LIMIT = 64 * 2**20  # bytes, unpacked: larger than any log, small enough for memory
_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ"


def read_start(path: str, size: int) -> bytes:
    """Read the first bytes of a file, unpacked if it is compressed."""
    with _translate_errors(path), ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(open(path, "rb"))
        magic = file.read(8)
        file.seek(0)
        if magic.startswith(_GZIP):
            return stack.enter_context(gzip.GzipFile(fileobj=file)).read(size)
        if magic.startswith(_BZIP2):
            return stack.enter_context(bz2.BZ2File(file)).read(size)
        if magic.startswith(_XZ):
            return stack.enter_context(lzma.LZMAFile(file)).read(size)
        return file.read(size)


def read_unpacked(path: str) -> bytes:
    """Read all bytes of a file, unpacked if it is compressed."""
    data = read_start(path, LIMIT + 1)
    if len(data) > LIMIT:
        raise _too_large_error(path)
    return data


def read_members(path: str, ending: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the files in a zip or tar with this ending."""
    remaining = LIMIT
    with _open_members(path) as entries:
        for member in entries:
            check_member(member, path)
        for member in entries:
            stream = member.open() if member.name.endswith(ending) else None
            if stream is None:  # another ending, or a folder
                continue
            content = stream.read(remaining + 1)
            remaining -= len(content)
            if remaining < 0:
                raise _too_large_error(path)
            yield member.name, content


def sample_content(path: str, ending: str) -> bytes:
    """Read a sample of the files in an archive to detect its kind, without safety checks."""
    data = read_start(path, 2**20)
    if not data.startswith(b"PK"):
        return data
    with _open_members(path) as entries:  # each member of a zip is compressed separately
        streams = [member.open() for member in entries if member.name.endswith(ending)]
        return b"\n".join(stream.read(100) for stream in streams[:100] if stream)


@contextmanager
def _open_members(path: str) -> Iterator[list[ArchiveMember]]:
    data = io.BytesIO(read_unpacked(path))
    with _translate_errors(path), ExitStack() as stack:
        if zipfile.is_zipfile(data):
            zip_file = stack.enter_context(zipfile.ZipFile(data))
            yield [zip_member(zip_file, info) for info in zip_file.infolist()]
        else:
            data.seek(0)  # is_zipfile moved the position
            tar_file = stack.enter_context(tarfile.open(fileobj=data, mode="r:"))
            yield [tar_member(tar_file, info) for info in tar_file.getmembers()]


@contextmanager
def _translate_errors(path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise BadInput(path, "no such file") from None
    except ARCHIVE_ERRORS as error:
        reason = str(error).partition("\n")[0].rstrip(":")
        raise BadInput(path, f"cannot be unpacked: {reason or type(error).__name__}") from None


def _too_large_error(path: str) -> BadInput:
    return BadInput(path, f"is larger than {LIMIT >> 20} MiB when unpacked")
