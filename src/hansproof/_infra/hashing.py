"""Hashes of files, cached until the files change."""

from __future__ import annotations

import hashlib
import os
from functools import cache

_CHUNK = 2**20

Paths = tuple[str, ...]
Mtimes = tuple[int, ...]


def file_sha256(paths: Paths) -> str:
    """Hash the contents of files, one after the other; cached until a file changes."""
    return _cached_sha256(paths, mtimes(paths))


def mtimes(paths: Paths) -> Mtimes:
    """Return the modification times of files, in nanoseconds."""
    return tuple(os.stat(path).st_mtime_ns for path in paths)


@cache
def _cached_sha256(paths: Paths, _: Mtimes) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()
