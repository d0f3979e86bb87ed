"""Locks between processes: one byte of a file is locked for each key.

POSIX record locks belong to a process and end with it, so a killed process leaves none behind. They
also end when the process closes the file, even if it has opened it twice: use one `Locks` per file
and process. On systems without them (Windows) every lock is granted: work may be done twice, but
nothing is damaged.
"""

from __future__ import annotations

import errno
import os

from ..errors import BadInput

try:
    import fcntl
except ModuleNotFoundError:
    fcntl = None  # type: ignore[assignment]

KEY_DIGITS = 12  # hexadecimal digits of a key that give the position of its byte
SUPPORTED = fcntl is not None


class Locks:
    """Locks by key, held until they are released, the file is closed, or the process ends."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except (FileExistsError, NotADirectoryError):
            raise BadInput(os.path.dirname(path), "is not a folder") from None
        except OSError as error:
            raise BadInput(path, f"cannot be written: {error.strerror}") from None

    def acquire(self, key: str) -> bool:
        """Try to take a lock without waiting; return whether this process has it now."""
        if not SUPPORTED:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _byte_offset(key))
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):  # another process has it
                return False
            raise BadInput(self._path, f"cannot be locked: {error.strerror}") from None
        return True

    def release(self, key: str) -> None:
        """Release a lock."""
        if SUPPORTED:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _byte_offset(key))

    def close(self) -> None:
        """Close the file, which releases all locks."""
        os.close(self._file)


def _byte_offset(key: str) -> int:
    return int(key[:KEY_DIGITS], 16)
