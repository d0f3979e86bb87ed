"""Extracts members of zip and tar files; archives with unsafe paths are refused."""

from __future__ import annotations

import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import IO, Protocol

from .._infra.atomic_io import atomic_write
from ..errors import BadInput

# Exceptions of the readers for broken archives: RuntimeError for encrypted members and unknown
# methods, ValueError for names that are not text, OSError for broken gzip and bz2.
ARCHIVE_ERRORS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)
CHUNK_SIZE = 2**16
LIMIT = 256 * 2**20  # bytes of one member, against zip bombs


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A member of an archive, as listed in its directory."""

    name: str
    size: int
    is_link: bool
    open: Callable[[], IO[bytes] | None]


class ZipEntryInfo(Protocol):
    """The attributes of a zip member that Python's zipfile and its backport share."""

    external_attr: int


def extract_members(archive: str, members: dict[str, str], folder: str) -> None:
    """Write members under new names, after checking every member of the archive."""
    with _open_members(archive) as entries:
        members_by_name = {member.name: member for member in entries}
        for member in members_by_name.values():
            check_member(member, archive)
        for name in members:
            if name not in members_by_name:
                raise BadInput(archive, f"does not contain {name}")
        for name, target in members.items():
            _write_member(members_by_name[name], os.path.join(folder, target), archive)


def check_member(member: ArchiveMember, archive: str) -> None:
    """Raise on absolute names, `..` and links, in POSIX and Windows notation."""
    for path in (PurePosixPath(member.name), PureWindowsPath(member.name)):
        if path.is_absolute() or path.drive or ".." in path.parts:
            raise BadInput(
                archive, f"{member.name!r} would be unpacked outside the target folder: refused"
            )
    if member.is_link:
        raise BadInput(archive, f"{member.name!r} is a link: refused")


def _write_member(member: ArchiveMember, path: str, archive: str) -> None:
    stream = member.open()
    if stream is None or member.size > LIMIT:
        raise BadInput(archive, f"{member.name!r} is not a file of at most {LIMIT >> 20} MiB")
    with stream, atomic_write(path) as file:
        for chunk in _read_chunks(stream, archive):
            file.write(chunk)


def _read_chunks(stream: IO[bytes], archive: str) -> Iterator[bytes]:
    """Yield the bytes of a member; only reading errors are translated, not writing errors."""
    with _translate_errors(archive):
        while chunk := stream.read(CHUNK_SIZE):
            yield chunk


@contextmanager
def _translate_errors(archive: str) -> Iterator[None]:
    try:
        yield
    except ARCHIVE_ERRORS as error:
        reason = str(error).partition("\n")[0].rstrip(":")
        raise BadInput(archive, f"broken archive: {reason}") from None


@contextmanager
def _open_members(archive: str) -> Iterator[list[ArchiveMember]]:
    with _translate_errors(archive):
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zip_file:
                yield [zip_member(zip_file, info) for info in zip_file.infolist()]
        else:
            with tarfile.open(archive) as tar_file:
                yield [tar_member(tar_file, info) for info in tar_file.getmembers()]


def zip_member(zip_file: zipfile.ZipFile, info: zipfile.ZipInfo) -> ArchiveMember:
    return ArchiveMember(
        info.filename, info.file_size, is_zip_link(info), lambda: zip_file.open(info)
    )


def is_zip_link(info: ZipEntryInfo) -> bool:
    """Check whether a member of a zip is a symbolic link."""
    return stat.S_ISLNK(info.external_attr >> 16)


def tar_member(tar_file: tarfile.TarFile, info: tarfile.TarInfo) -> ArchiveMember:
    is_link = info.issym() or info.islnk()
    return ArchiveMember(info.name, info.size, is_link, lambda: tar_file.extractfile(info))
