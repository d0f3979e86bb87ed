"""Takes members out of zip and tar files, unless the archive tries to climb out of its folder."""

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

from ..errors import BadInput
from ..files import part

# What the readers raise for bytes that are not right: RuntimeError for encrypted members and
# unknown methods, ValueError for names that are not text, OSError for broken gzip and bz2.
BROKEN = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)
CHUNK = 2**16
LIMIT = 256 * 2**20  # bytes of one member, so that a bomb does not fill the disk


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an archive, as its directory describes it."""

    name: str
    size: int
    link: bool
    open: Callable[[], IO[bytes] | None]


class Zipped(Protocol):
    """What Python's zipfile and its backport both say of a member."""

    external_attr: int


def extract(archive: str, members: dict[str, str], folder: str) -> None:
    """Write members under new names; every member of the archive is looked at first."""
    with _members(archive) as listed:
        found = {member.name: member for member in listed}
        for member in found.values():
            check(member, archive)
        for name in members:
            if name not in found:
                raise BadInput(archive, f"holds no {name}")
        for name, target in members.items():
            _write(found[name], os.path.join(folder, target), archive)


def check(member: Member, archive: str) -> None:
    """Refuse absolute names, `..` and links, as written on any system."""
    for path in (PurePosixPath(member.name), PureWindowsPath(member.name)):
        if path.is_absolute() or path.drive or ".." in path.parts:
            raise BadInput(archive, f"{member.name!r} climbs out of the archive: refused")
    if member.link:
        raise BadInput(archive, f"{member.name!r} is a link: refused")


def _write(member: Member, path: str, archive: str) -> None:
    stream = member.open()
    if stream is None or member.size > LIMIT:
        raise BadInput(archive, f"{member.name!r} is not a file of at most {LIMIT >> 20} MiB")
    with stream, part(path) as file:
        for chunk in _chunks(stream, archive):
            file.write(chunk)


def _chunks(stream: IO[bytes], archive: str) -> Iterator[bytes]:
    """The bytes of a member; its errors are told apart from those of writing them."""
    with _readable(archive):
        while chunk := stream.read(CHUNK):
            yield chunk


@contextmanager
def _readable(archive: str) -> Iterator[None]:
    try:
        yield
    except BROKEN as error:
        what = str(error).partition("\n")[0].rstrip(":")
        raise BadInput(archive, f"broken archive: {what}") from None


@contextmanager
def _members(archive: str) -> Iterator[list[Member]]:
    with _readable(archive):
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zip:
                yield [zipped(zip, info) for info in zip.infolist()]
        else:
            with tarfile.open(archive) as tar:
                yield [tarred(tar, info) for info in tar.getmembers()]


def zipped(zip: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    return Member(info.filename, info.file_size, is_link(info), lambda: zip.open(info))


def is_link(info: Zipped) -> bool:
    """Whether a member of a zip is a symbolic link."""
    return stat.S_ISLNK(info.external_attr >> 16)


def tarred(tar: tarfile.TarFile, info: tarfile.TarInfo) -> Member:
    link = info.issym() or info.islnk()
    return Member(info.name, info.size, link, lambda: tar.extractfile(info))
