"""Compressed files and archives, unpacked in memory up to a limit and never onto the disk."""

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

from ..errors import BadInput
from ..fetch._archive import BROKEN, Member, check, tarred, zipped

LIMIT = 64 * 2**20  # bytes, unpacked: far above any log, far below any memory
_GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ"


def start(path: str, size: int) -> bytes:
    """The first bytes of a file, unpacked if it is compressed."""
    with _readable(path), ExitStack() as stack:
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


def unpacked(path: str) -> bytes:
    """All bytes of a file, unpacked if it is compressed."""
    data = start(path, LIMIT + 1)
    if len(data) > LIMIT:
        raise _too_large(path)
    return data


def members(path: str, ending: str) -> Iterator[tuple[str, bytes]]:
    """Name and content of the files in a zip or tar that have this ending."""
    left = LIMIT
    with _listed(path) as listed:
        for member in listed:
            check(member, path)
        for member in listed:
            stream = member.open() if member.name.endswith(ending) else None
            if stream is None:  # of another kind, or a folder
                continue
            content = stream.read(left + 1)
            left -= len(content)
            if left < 0:
                raise _too_large(path)
            yield member.name, content


def glance(path: str, ending: str) -> bytes:
    """Some of what an archive holds, by which its kind is told; it may yet be refused."""
    data = start(path, 2**20)
    if not data.startswith(b"PK"):
        return data
    with _listed(path) as listed:  # each member of a zip is packed by itself
        streams = [member.open() for member in listed if member.name.endswith(ending)]
        return b"\n".join(stream.read(100) for stream in streams[:100] if stream)


@contextmanager
def _listed(path: str) -> Iterator[list[Member]]:
    data = io.BytesIO(unpacked(path))
    with _readable(path), ExitStack() as stack:
        if zipfile.is_zipfile(data):
            zip = stack.enter_context(zipfile.ZipFile(data))
            yield [zipped(zip, info) for info in zip.infolist()]
        else:
            data.seek(0)  # looking for a zip has moved it
            tar = stack.enter_context(tarfile.open(fileobj=data, mode="r:"))
            yield [tarred(tar, info) for info in tar.getmembers()]


@contextmanager
def _readable(path: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise BadInput(path, "no such file") from None
    except BROKEN as error:
        what = str(error).partition("\n")[0].rstrip(":")
        raise BadInput(path, f"cannot be unpacked: {what or type(error).__name__}") from None


def _too_large(path: str) -> BadInput:
    return BadInput(path, f"is larger than {LIMIT >> 20} MiB when unpacked")
