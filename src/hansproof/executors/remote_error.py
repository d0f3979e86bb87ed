"""An error on its way from one process to another: of ours the line, of others the traceback."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from ..errors import HansproofError


@dataclass(frozen=True, slots=True)
class RemoteError:
    """What went wrong elsewhere."""

    error_type: type[HansproofError] | None
    message: str

    @classmethod
    def from_exception(cls, error: Exception) -> RemoteError:
        """An error that was just caught."""
        if isinstance(error, HansproofError):
            return cls(type(error), str(error))
        return cls(None, "".join(traceback.format_exception(error)))

    def to_exception(self) -> Exception:
        """The same error here."""
        if self.error_type is None:
            return RuntimeError(f"in a worker:\n{self.message}")
        exception = self.error_type.__new__(
            self.error_type
        )  # its own arguments are in the line already
        exception.args = (self.message,)
        return exception
