"""Who works on what: a byte of one file is locked for each run that is being done.

POSIX record locks belong to a process and go with it, so a killed one leaves none behind. They go
as well when the process closes the file, even if it opened it twice: one `Locks` at a time.
Where there are none (Windows), everything is free: work may be done twice, but not spoilt.
"""

from __future__ import annotations

import errno
import os

from ..errors import BadInput

try:
    import fcntl
except ModuleNotFoundError:
    fcntl = None  # type: ignore[assignment]

KEY_DIGITS = 12  # of a key: the number of its byte
SUPPORTED = fcntl is not None


class Locks:
    """Locks by key, held until they are freed, closed, or the process ends."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except (FileExistsError, NotADirectoryError):
            raise BadInput(os.path.dirname(path), "is no folder") from None
        except OSError as error:
            raise BadInput(path, f"cannot be written: {error.strerror}") from None

    def acquire(self, key: str) -> bool:
        """Whether the lock is ours now; does not wait."""
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
        """Let others have it."""
        if SUPPORTED:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _byte_offset(key))

    def close(self) -> None:
        """Let others have all of them."""
        os.close(self._file)


def _byte_offset(key: str) -> int:
    return int(key[:KEY_DIGITS], 16)
