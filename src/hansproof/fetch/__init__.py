"""Finds a benchmark's file: the user's folder, HANSPROOF_DATA, the cache, or its public home."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..errors import BadInput

__all__ = ["Archive", "Source", "cache", "downloaded", "find", "github"]


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip or tar file at a public home, and the members that are wanted from it."""

    url: str
    members: dict[str, str]  # member -> name of the file, as in Source


@dataclass(frozen=True, slots=True)
class Source:
    """One file: its name in a data folder, and where its bytes come from."""

    name: str  # e.g. copa/copa-dev.xml
    home: str | Archive
    sha256: str | None = None  # None where the bytes of the public copy are not known


def github(name: str, repository: str, path: str, commit: str, sha256: str) -> Source:
    """A file of a repository at one commit."""
    url = f"https://raw.githubusercontent.com/{repository}/{commit}/{path}"
    return Source(name, url, sha256)


def find(source: Source, folder: str | None = None) -> str:
    """The path of a file, downloaded if it is nowhere else."""
    if folder is not None:
        return _in_folder(source.name, folder)
    data = os.environ.get("HANSPROOF_DATA")
    for place in (data, cache()):
        if place and os.path.exists(path := os.path.join(place, source.name)):
            return path
    return _from_home(source)


def cache() -> str:
    """The folder that keeps downloads."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "hansproof")


def downloaded(path: str) -> bool:
    """Whether a file came from a public home, not from the user."""
    return os.path.abspath(path).startswith(os.path.abspath(cache()) + os.sep)


def _in_folder(name: str, folder: str) -> str:
    """The user's folder may be laid out as HANSPROOF_DATA is, or hold the files themselves."""
    for path in (os.path.join(folder, name), os.path.join(folder, os.path.basename(name))):
        if os.path.exists(path):
            return path
    raise BadInput(os.path.join(folder, name), "no such file")


def _from_home(source: Source) -> str:
    from ._archive import extract
    from ._download import download

    path = os.path.join(cache(), source.name)
    if isinstance(source.home, str):
        download(source.home, path, source.sha256)
        return path
    archive = os.path.join(cache(), os.path.basename(source.home.url))
    download(source.home.url, archive, None)
    try:
        extract(archive, source.home.members, cache())
    finally:
        os.remove(archive)  # the members are a small part of it
    return path
