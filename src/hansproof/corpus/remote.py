"""Files of stores and servers: what their libraries raise is of many families, here it is one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import HansproofError, first_line


@contextmanager
def reraise_as_os_error() -> Iterator[None]:
    """A connection that breaks is told as a disk that does."""
    try:
        yield
    except (HansproofError, OSError):
        raise
    except Exception as error:
        raise OSError(first_line(error)) from error


class RemoteFile(io.RawIOBase):
    """A file that is read over a net."""

    def __init__(self, fs: Any, path: str, **open_options: Any) -> None:
        with reraise_as_os_error():
            self._file = fs.open(path, "rb", **open_options)

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Not if it comes in one go."""
        return bool(self._file.seekable())

    def readinto(self, buffer: Any) -> int:
        """As much as there is at once."""
        with reraise_as_os_error():
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go elsewhere."""
        with reraise_as_os_error():
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        """Where it is."""
        return int(self._file.tell())

    def close(self) -> None:
        """Let go of it."""
        if not self.closed:
            with reraise_as_os_error():
                self._file.close()
        super().close()
