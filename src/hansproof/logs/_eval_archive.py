"""Reads single members of an Inspect `.eval` zip in memory, Zstandard included."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from ..download.archive import ARCHIVE_ERRORS, ArchiveMember, check_member, is_zip_link
from ..errors import BadInput

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdError
else:  # Inspect uses Zstandard, which Python's zipfile supports from 3.14 on
    from backports.zstd import ZstdError, zipfile

MEMBER = 64 * 2**20  # bytes, unpacked, of one member
TOTAL = 2**30  # bytes, unpacked, of all members that are read
COUNT = 200_000  # members


class EvalArchive:
    """An untrusted zip with members by name; of members with the same name, the last one counts."""

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._path, self._bytes_left = path, TOTAL
        with _translate_errors(path):
            self._zip = zipfile.ZipFile(file)
        infos = self._zip.infolist()
        if len(infos) > COUNT:
            raise BadInput(path, f"has more than {COUNT} members")
        for info in infos:
            check_member(
                ArchiveMember(info.filename, info.file_size, is_zip_link(info), lambda: None), path
            )
        self.infos = {info.filename: info for info in infos}

    def read_member(self, name: str) -> bytes:
        """Read a member completely and check its checksum."""
        info = self.infos[name]
        self._bytes_left -= info.file_size
        if info.file_size > MEMBER or self._bytes_left < 0:
            limit = MEMBER if info.file_size > MEMBER else TOTAL
            raise BadInput(self._path, f"{name} is larger than {limit >> 20} MiB when unpacked")
        with _translate_errors(self._path), self._zip.open(info) as member:
            data: bytes = member.read(info.file_size)
            if len(data) != info.file_size:
                raise zipfile.BadZipFile(f"{name} is cut off")
            return data


@contextmanager
def open_archive(path: str) -> Iterator[EvalArchive]:
    """Open the zip at a path."""
    with open(path, "rb") as file:
        yield EvalArchive(file, path)


@contextmanager
def _translate_errors(path: str) -> Iterator[None]:
    try:
        yield
    except (*ARCHIVE_ERRORS, zipfile.BadZipFile, ZstdError) as error:
        reason = str(error).partition("\n")[0].rstrip(":")
        raise BadInput(path, f"broken archive: {reason or type(error).__name__}") from None
