"""The fingerprint of files, worked out once for as long as they stay as they are."""

from __future__ import annotations

import hashlib
import os
from functools import cache

_CHUNK = 2**20

Paths = tuple[str, ...]
Mtimes = tuple[int, ...]


def file_sha256(paths: Paths) -> str:
    """The sha256 of files one after the other, worked out again only when they have changed."""
    return _cached_sha256(paths, mtimes(paths))


def mtimes(paths: Paths) -> Mtimes:
    """When files were last changed: what is remembered of them holds as long."""
    return tuple(os.stat(path).st_mtime_ns for path in paths)


@cache
def _cached_sha256(paths: Paths, _: Mtimes) -> str:
    digest = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()
