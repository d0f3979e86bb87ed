"""An error on its way from one process to another: of ours the line, of others the traceback."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from ..errors import HansproofError


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong elsewhere."""

    kind: type[HansproofError] | None
    text: str

    @classmethod
    def of(cls, error: Exception) -> Trouble:
        """An error that was just caught."""
        if isinstance(error, HansproofError):
            return cls(type(error), str(error))
        return cls(None, "".join(traceback.format_exception(error)))

    def error(self) -> Exception:
        """The same error here."""
        if self.kind is None:
            return RuntimeError(f"in a worker:\n{self.text}")
        made = self.kind.__new__(self.kind)  # its own arguments are in the line already
        made.args = (self.text,)
        return made
