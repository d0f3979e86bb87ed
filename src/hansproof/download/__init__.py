"""Finds a file of a benchmark: in the user's folder, HANSPROOF_DATA, the cache, or online."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..errors import BadInput

__all__ = [
    "Archive",
    "DataFile",
    "cache_dir",
    "find_file",
    "github_file",
    "is_downloaded",
    "is_url",
]


@dataclass(frozen=True, slots=True)
class Archive:
    """A public zip or tar file, and the members to extract from it."""

    url: str
    members: dict[str, str]  # member -> name of the file, as in DataFile
    sha256: str | None = None  # None if the checksum of the public copy is unknown


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a benchmark: its name in a data folder, and its URL or archive."""

    name: str  # e.g. copa/copa-dev.xml
    origin: str | Archive
    sha256: str | None = None  # None if the checksum of the public copy is unknown


def github_file(name: str, repository: str, path: str, commit: str, sha256: str) -> DataFile:
    """Describe a file of a GitHub repository at one commit."""
    url = f"https://raw.githubusercontent.com/{repository}/{commit}/{path}"
    return DataFile(name, url, sha256)


def find_file(data_file: DataFile, folder: str | None = None) -> str:
    """Return the path of a file; download it if it is not found locally."""
    if folder is not None:
        return _find_in_folder(data_file.name, folder)
    data_dir = os.environ.get("HANSPROOF_DATA")
    for root in (data_dir, cache_dir()):
        if root and os.path.exists(path := os.path.join(root, data_file.name)):
            return path
    return _download_to_cache(data_file)


def is_url(source: str) -> bool:
    """Tell whether a source is an address on the web."""
    return source.startswith(("https://", "http://"))


def cache_dir() -> str:
    """Return the folder of downloads."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "hansproof")


def is_downloaded(path: str) -> bool:
    """Check whether a file was downloaded rather than provided by the user."""
    return os.path.abspath(path).startswith(os.path.abspath(cache_dir()) + os.sep)


def _find_in_folder(name: str, folder: str) -> str:
    """Find a file in a folder that has the layout of HANSPROOF_DATA, or of one benchmark in it.

    The files of a benchmark may also be in the folder itself, without folders of their own.
    """
    for relative_path in (name, name.partition("/")[2] or name, os.path.basename(name)):
        if os.path.exists(path := os.path.join(folder, relative_path)):
            return path
    raise BadInput(os.path.join(folder, name), "no such file")


def _download_to_cache(data_file: DataFile) -> str:
    from .archive import extract_members
    from .fetch_file import download_file

    path = os.path.join(cache_dir(), data_file.name)
    if isinstance(data_file.origin, str):
        download_file(data_file.origin, path, data_file.sha256)
        return path
    archive = os.path.join(cache_dir(), os.path.basename(data_file.origin.url))
    download_file(data_file.origin.url, archive, data_file.origin.sha256)
    try:
        extract_members(archive, data_file.origin.members, cache_dir())
    finally:
        os.remove(archive)  # only a few members are needed
    return path
