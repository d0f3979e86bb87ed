"""A record, where it stands, and the checks that every text of it must pass."""

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
    """The place of a record, for errors."""

    file: str
    line: int

    def error(self, field: str | None, message: str) -> BadInput:
        """An error at this place."""
        return BadInput(self.file, message, line=self.line, field=field and truncate(field))

    def missing_column(self, column: str, record: Record) -> BadInput:
        """An error about a column that this record lacks."""
        return self.error(column, f"missing column; found: {format_columns(record)}")

    def require_text(self, value: object, field: str) -> str:
        """The value, if it is text that can be shown and stored."""
        if not isinstance(value, str):
            raise self.error(field, f"is {type_name(value)}, not text")
        if "\0" in value:
            raise self.error(field, "holds a NUL character")
        return value

    def require_name(self, value: object, field: str) -> str:
        """An id or a group: text or a whole number, never empty."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        text = self.require_text(value, field).strip()
        if not text:
            raise self.error(field, "is empty")
        return text


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number with a value: neither a boolean nor NaN."""
    return isinstance(value, int | float) and not isinstance(value, bool) and not _is_nan(value)


def number_as_text(value: object) -> object:
    """A number as its text, anything else as it is."""
    return str(value) if is_number(value) else value


def type_name(value: object) -> str:
    """What a value is, in a word for an error."""
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
    """A name from a file as it may stand in an error: short, and in one line."""
    printable = "".join(char if char.isprintable() else "?" for char in name[:60])
    return printable + "..." if len(name) > 60 else printable


def format_columns(columns: Collection[str]) -> str:
    """The columns of a file, the first of very many."""
    names = [truncate(name) for name in islice(columns, 30)]
    n_more = len(columns) - len(names)
    return ", ".join(names) + (f" and {n_more} more" if n_more else "")


def file_extension(path: str) -> str:
    """`jsonl` of `a/b.JSONL`."""
    return os.path.splitext(path)[1].lower().removeprefix(".")
