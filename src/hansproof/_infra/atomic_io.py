"""Atomic file writes: readers see a whole file or none."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from ..errors import BadInput


@contextmanager
def atomic_write(path: str) -> Iterator[BinaryIO]:
    """Open a temporary file that gets its final name only if the block succeeds."""
    _check_regular(path)
    temporary_path = f"{path}.{os.getpid()}.part"
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(temporary_path, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # the content must reach the disk before the name does
        os.replace(temporary_path, path)
    except OSError as error:
        _remove_if_present(temporary_path)
        raise BadInput(path, f"cannot be written: {error.strerror}") from None
    except BaseException:
        _remove_if_present(temporary_path)
        raise


def expand_paths(pattern: str) -> list[str]:
    """List the files that match a path or a wildcard pattern (`**` included); at least one."""
    if os.path.exists(pattern):
        return [pattern]
    paths = sorted(path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path))
    if not paths:
        raise BadInput(pattern, "no such file")
    return paths


def check_writable(path: str) -> None:
    """Raise BadInput if a file cannot be written; call it before long work starts."""
    _check_regular(path)
    folder = os.path.dirname(os.path.abspath(path))
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise BadInput(path, f"cannot be written: {os.path.relpath(folder)} is not a folder")
    if not os.access(folder, os.W_OK):
        raise BadInput(path, "cannot be written: no permission to write in its folder")


def _check_regular(path: str) -> None:
    """Raise BadInput for /dev/null, pipes and folders: a file would take their place."""
    is_device_link = os.path.realpath(os.path.dirname(os.path.abspath(path))) == "/dev"
    if os.path.exists(path) and (is_device_link or not os.path.isfile(path)):
        kind = "a folder" if os.path.isdir(path) else "not a regular file"
        raise BadInput(path, f"cannot be written: it is {kind}")


def _remove_if_present(path: str) -> None:
    if os.path.exists(path):
        os.remove(path)


def write_file(path: str, content: bytes) -> None:
    """Write a whole file atomically."""
    with atomic_write(path) as file:
        file.write(content)
