"""Parses the rows of a comma-separated table in memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..errors import BadInput
from ..records.location import format_columns, truncate

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CsvRow:
    """The cells of one row by column, with their file and line."""

    file: str
    line: int
    cells: dict[str, str]

    def parse_cell(self, column: str, parse: Callable[[str], T]) -> T:
        """Parse a cell with `parse`; raise if its value is invalid."""
        try:
            return parse(self.cells[column].strip())
        except (ValueError, KeyError):
            raise self.error(
                column, f"{truncate(self.cells[column])!r} is not a valid value"
            ) from None

    def error(self, column: str, message: str) -> BadInput:
        """Build an error about this row."""
        return BadInput(self.file, message, line=self.line, field=truncate(column))


def read_rows(data: bytes, file: str, required: Sequence[str]) -> Iterator[CsvRow]:
    """Yield the rows that are not blank; raise if the header lacks a required column."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(file, "is not UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        for name in required:
            if header.count(name) != 1:
                message = f"missing column; found: {format_columns(header)}"
                raise BadInput(file, message, line=1, field=name)
        for cells in reader:
            if cells:
                yield _build_row(cells, header, file, reader.line_num)
    except csv.Error as error:
        raise BadInput(file, str(error), line=reader.line_num) from None


def _build_row(cells: list[str], header: list[str], file: str, line: int) -> CsvRow:
    if len(cells) != len(header):
        message = f"has {len(cells)} cells, but the header has {len(header)}"
        raise BadInput(file, message, line=line)
    return CsvRow(file, line, dict(zip(header, cells, strict=True)))
