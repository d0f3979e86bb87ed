"""Rows of a comma-separated table that is in memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..errors import BadInput
from ..formats._record import listed, shown

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row by column, and where it stands."""

    file: str
    line: int
    cells: dict[str, str]

    def take(self, column: str, read: Callable[[str], T]) -> T:
        """The cell, read as what it must be."""
        try:
            return read(self.cells[column].strip())
        except (ValueError, KeyError):
            raise self.bad(column, f"{shown(self.cells[column])!r} cannot be read") from None

    def bad(self, column: str, what: str) -> BadInput:
        """An error in this row."""
        return BadInput(self.file, what, line=self.line, field=shown(column))


def rows(data: bytes, file: str, needs: Sequence[str]) -> Iterator[Row]:
    """One Row per row, blank ones left out; the header must have the columns that are needed."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(file, "is not UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        for name in needs:
            if header.count(name) != 1:
                what = f"missing column; found: {listed(header)}"
                raise BadInput(file, what, line=1, field=name)
        for cells in reader:
            if cells:
                yield _row(cells, header, file, reader.line_num)
    except csv.Error as error:
        raise BadInput(file, str(error), line=reader.line_num) from None


def _row(cells: list[str], header: list[str], file: str, line: int) -> Row:
    if len(cells) != len(header):
        what = f"has {len(cells)} cells, the header has {len(header)}"
        raise BadInput(file, what, line=line)
    return Row(file, line, dict(zip(header, cells, strict=True)))
