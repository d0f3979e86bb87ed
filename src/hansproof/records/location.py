"""Records, their locations in files, and checks of their values."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeGuard

from ..errors import BadInput

Record = dict[str, object]
Records = Iterator[tuple[int, Record]]  # line (or row) number, record


@dataclass(frozen=True, slots=True)
class Location:
    """The file and line of a record, for error messages."""

    file: str
    line: int

    def error(self, field: str | None, message: str) -> BadInput:
        """Build an error at this location."""
        return BadInput(self.file, message, line=self.line, field=field and truncate(field))

    def missing_column(self, column: str, record: Record) -> BadInput:
        """Build an error about a column that this record lacks."""
        return self.error(column, f"missing column; found: {format_columns(record)}")

    def require_text(self, value: object, field: str) -> str:
        """Return the value if it is text without NUL characters, else raise."""
        if not isinstance(value, str):
            raise self.error(field, f"is {type_name(value)}, not text")
        if "\0" in value:
            raise self.error(field, "contains a NUL character")
        return value

    def require_name(self, value: object, field: str) -> str:
        """Return an id or a group: text or a whole number, never empty."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        text = self.require_text(value, field).strip()
        if not text:
            raise self.error(field, "is empty")
        return text


def is_number(value: object) -> TypeGuard[int | float]:
    """Check whether a value is a number, but not a boolean or NaN."""
    return isinstance(value, int | float) and not isinstance(value, bool) and not _is_nan(value)


def number_as_text(value: object) -> object:
    """Convert a number to text and return other values unchanged."""
    return str(value) if is_number(value) else value


def type_name(value: object) -> str:
    """Describe the type of a value for an error message."""
    if value is None:
        return "missing"
    if _is_nan(value):
        return "NaN"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    names: dict[type, str] = {str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def truncate(name: str) -> str:
    """Shorten a name from a file for an error message: at most 60 characters, one line."""
    printable = "".join(char if char.isprintable() else "?" for char in name[:60])
    return printable + "..." if len(name) > 60 else printable


def format_columns(columns: Collection[str]) -> str:
    """List the columns of a file, at most 30 of them."""
    names = [truncate(name) for name in islice(columns, 30)]
    n_more = len(columns) - len(names)
    return ", ".join(names) + (f" and {n_more} more" if n_more else "")


def file_extension(path: str) -> str:
    """Return the lower-case extension, such as `jsonl` for `a/b.JSONL`."""
    return os.path.splitext(path)[1].lower().removeprefix(".")
