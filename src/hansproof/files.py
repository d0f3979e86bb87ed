"""Files that a reader sees whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


@contextmanager
def part(path: str) -> Iterator[BinaryIO]:
    """A file to write to that takes its name only when all went well."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "wb") as file:
            yield file
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise


def write(path: str, content: bytes) -> None:
    """Write all of a file."""
    with part(path) as file:
        file.write(content)
