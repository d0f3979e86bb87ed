"""An exception in a form that can be sent from a worker process to its parent."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from ..errors import HansproofError


@dataclass(frozen=True, slots=True)
class RemoteError:
    """The message of an error that users are told in one line, or a traceback (type None)."""

    error_type: type[HansproofError | MemoryError] | None
    message: str

    @classmethod
    def from_exception(cls, error: Exception) -> RemoteError:
        """Describe an exception that was just caught."""
        if isinstance(error, HansproofError | MemoryError):
            return cls(type(error), str(error))
        return cls(None, "".join(traceback.format_exception(error)))

    def to_exception(self) -> Exception:
        """Return an exception of the same type with the same message."""
        if self.error_type is None:
            return RuntimeError(f"in a worker:\n{self.message}")
        # not by calling the type: its arguments are already part of the message
        exception = self.error_type.__new__(self.error_type)
        exception.args = (self.message,)
        return exception
