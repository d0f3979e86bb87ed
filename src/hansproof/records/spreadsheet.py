"""Writes tables that are safe to open in a spreadsheet, and reads them in any form it saves.

Programs save tables with other separators, as UTF-16, with `sep=;` on top, or with empty cells at
the edges.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from .._infra import atomic_io
from ..errors import BadInput
from .by_content import read_records
from .delimiters import SAMPLE_LINES, SEPARATOR_LINE, detect_delimiter
from .lines import FILE_LIMIT, SAVE_AS_UTF8, read_bytes, read_utf8
from .location import Record, file_extension, format_columns, number_as_text, truncate, type_name

SAVE_HINT = 'save it as "CSV UTF-8"'

# what a spreadsheet treats as a formula, after any apostrophes, so that escaping is reversible
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_QUOTED = re.compile(r"'+[=+\-@\t\r]")
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class SheetRow:
    """The cells of one row by column."""

    number: int  # as in a spreadsheet, where the header is row 1; the line in JSON lines
    cells: dict[str, str]
    extra_cells: int = 0  # number of non-empty cells without a column

    def column_with_nul(self) -> str | None:
        """Return the column of a cell with a NUL character, which items may not contain."""
        return next((name for name, cell in self.cells.items() if "\0" in cell), None)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table from a file, without blank rows."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]

    def require_columns(self, columns: Iterable[str]) -> None:
        """Raise if the file lacks one of these columns."""
        for column in columns:
            if column not in self.columns:
                message = f"missing column; found: {format_columns(self.columns)}"
                raise BadInput(self.path, message, field=truncate(column))


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """Encode rows as CSV; escape cells that a spreadsheet would treat as a formula."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([escape_formula(column) for column in columns])
    writer.writerows([escape_formula(row[column]) for column in columns] for row in rows)
    return out.getvalue().encode(errors="backslashreplace")  # names of files may not be UTF-8


def write_sheet(path: str, rows: Sequence[Mapping[str, str]]) -> None:
    """Write at least one row to a `.csv` or `.jsonl` file that people fill in."""
    check_sheet_path(path)
    atomic_io.write_file(path, encode_sheet(path, rows))


def encode_sheet(path: str, rows: Sequence[Mapping[str, str]]) -> bytes:
    """Encode rows as the content of the file that `write_sheet` would write."""
    if file_extension(path) == "csv":
        # Excel recognises UTF-8 only by the byte order mark
        return codecs.BOM_UTF8 + to_csv(list(rows[0]), rows)
    return "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows).encode()


def check_sheet_path(path: str) -> None:
    """Raise if `write_sheet` could not write this file."""
    if file_extension(path) not in ("csv", "jsonl"):
        raise BadInput(path, "must end in .csv or .jsonl")
    atomic_io.check_writable(path)


def read_sheet(path: str) -> Sheet:
    """Read a table: JSON lines if the extension says so, else separated cells."""
    return (
        _sheet_from_json(path)
        if file_extension(path) in ("jsonl", "ndjson")
        else _sheet_from_text(path)
    )


def escape_formula(cell: str) -> str:
    """Escape a cell so that a spreadsheet treats it as text."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unescape_formula(cell: str) -> str:
    """Undo `escape_formula`."""
    return cell[1:] if _QUOTED.match(cell) else cell


def _sheet_from_json(path: str) -> Sheet:
    rows = [
        SheetRow(line, _cells_as_text(path, line, record)) for line, record in read_records(path)
    ]
    columns = dict.fromkeys(column for row in rows for column in row.cells)
    return Sheet(path, tuple(columns), tuple(rows))


def _cells_as_text(path: str, line: int, record: Record) -> dict[str, str]:
    """Convert values to text; a missing value becomes an empty text."""
    cells = {}
    for name, value in record.items():
        text = "" if value is None else number_as_text(value)
        if not isinstance(text, str):
            raise BadInput(
                path, f"is {type_name(value)}, not text", line=line, field=truncate(name)
            )
        cells[name] = text
    return cells


def _sheet_from_text(path: str) -> Sheet:
    text = _decode_text(path)
    separator_line = SEPARATOR_LINE.match(text)
    if separator_line:
        text = text[separator_line.end() :]
    rows = _nonblank_rows(path, text, separator_line[1] if separator_line else None)
    columns = _column_names(path, next(rows, (1, []))[1])
    sheet_rows = [_build_row(number, cells, columns) for number, cells in rows]
    return Sheet(path, tuple(filter(None, columns)), tuple(sheet_rows))


def _build_row(number: int, cells: list[str], columns: list[str]) -> SheetRow:
    """Build a row by column; empty cells at the end may be missing."""
    named_cells = zip(columns, cells + [""] * len(columns), strict=False)
    extra_cells = sum(bool(cell.strip()) for cell in cells[len(columns) :])
    return SheetRow(
        number, {name: unescape_formula(cell) for name, cell in named_cells if name}, extra_cells
    )


def _decode_text(path: str) -> str:
    """Decode a file to text whose lines end with a line feed."""
    if read_bytes(path).startswith(_ZIP):
        raise BadInput(path, f"is a workbook, not a table of text: {SAVE_HINT}")
    try:
        text = read_utf8(path).decode()
    except BadInput as error:
        if SAVE_AS_UTF8 in str(error):
            raise
        raise BadInput(error, SAVE_HINT) from None
    # Excel's "CSV (Macintosh)" ends lines with a carriage return
    return text if "\n" in text else text.replace("\r", "\n")


def _line_stream(text: str) -> io.StringIO:
    return io.StringIO(text, newline="\n")


def _nonblank_rows(path: str, text: str, separator: str | None) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank; blank rows count in the numbering."""
    line = 1
    csv.field_size_limit(FILE_LIMIT)  # a cell may be as large as a file
    try:
        sample = list(islice(_line_stream(text.lstrip("\r\n")), SAMPLE_LINES))
        reader = csv.reader(
            _line_stream(text), delimiter=separator or detect_delimiter(sample), strict=True
        )
        for number, row in enumerate(reader, 1):
            if any(cell.strip() for cell in row):
                yield number, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(path, f"is not a readable table: {error}", line=line) from None


def _column_names(path: str, header: list[str]) -> list[str]:
    """Return the names of columns; a column without a name is ignored later."""
    names = [unescape_formula(name.strip()) for name in header]
    duplicates = [name for name, count in Counter(names).items() if name and count > 1]
    if duplicates:
        raise BadInput(path, "appears twice in the header", field=truncate(min(duplicates)))
    return names
