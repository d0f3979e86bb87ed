"""Files of object stores and servers; all exceptions of their libraries become OSError."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import HansproofError, first_line


@contextmanager
def reraise_as_os_error() -> Iterator[None]:
    """Raise any exception of a library as an OSError."""
    try:
        yield
    except (HansproofError, OSError):
        raise
    except Exception as error:
        raise OSError(first_line(error)) from error


class RemoteFile(io.RawIOBase):
    """A file that is read over the network."""

    def __init__(self, fs: Any, path: str, **open_options: Any) -> None:
        with reraise_as_os_error():
            self._file = fs.open(path, "rb", **open_options)

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Whether the file can be read from any offset."""
        return bool(self._file.seekable())

    def readinto(self, buffer: Any) -> int:
        """Read up to as many bytes as the buffer has."""
        with reraise_as_os_error():
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move to an offset."""
        with reraise_as_os_error():
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        """Return the current offset."""
        return int(self._file.tell())

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            with reraise_as_os_error():
                self._file.close()
        super().close()
