"""Files that a reader sees whole or not at all."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from ..errors import BadInput


@contextmanager
def atomic_write(path: str) -> Iterator[BinaryIO]:
    """A file to write to that takes its name only when all went well."""
    temporary_path = f"{path}.{os.getpid()}.part"
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(temporary_path, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # a name must not reach the disk before what it names
        os.replace(temporary_path, path)
    except OSError as error:
        _remove_if_present(temporary_path)
        raise BadInput(path, f"cannot be written: {error.strerror}") from None
    except BaseException:
        _remove_if_present(temporary_path)
        raise


def expand_paths(pattern: str) -> list[str]:
    """The files that a name or a pattern with wildcards (`**` too) means, at least one."""
    if os.path.exists(pattern):
        return [pattern]
    paths = sorted(path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path))
    if not paths:
        raise BadInput(pattern, "no such file")
    return paths


def check_writable(path: str) -> None:
    """Refuse, before the work is done, a path that could not be written after it."""
    folder = os.path.dirname(os.path.abspath(path))
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    if os.path.isdir(path) or not os.path.isdir(folder) or not os.access(folder, os.W_OK):
        raise BadInput(path, "cannot be written there")


def _remove_if_present(path: str) -> None:
    if os.path.exists(path):
        os.remove(path)


def write_file(path: str, content: bytes) -> None:
    """Write all of a file."""
    with atomic_write(path) as file:
        file.write(content)
