"""Tables that go through somebody's spreadsheet: nothing in them runs, however saved they are read.

Programs save as they like: other separators, UTF-16, `sep=;` on top, empty cells at the edges.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .._infra import atomic_io
from ..errors import BadInput
from .lines import FILE_LIMIT, read_bytes, read_utf8
from .location import Record, file_extension, format_columns, number_as_text, truncate, type_name

SEPARATORS = (",", ";", "\t")
SAVE_HINT = 'save it as "CSV UTF-8"'

# what a spreadsheet would take for a formula; apostrophes before it, so that one more can go again
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_QUOTED = re.compile(r"'+[=+\-@\t\r]")
_SEP = re.compile(r"\s*\"?sep=([^\w\s\"]|\t)\"?\s*(?:\r\n|\n)")
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class SheetRow:
    """The cells of one row by column."""

    number: int  # as a spreadsheet counts: the header is row 1; of JSON lines, the line
    cells: dict[str, str]
    extra_cells: int = 0  # cells that hold something and have no column

    def column_with_nul(self) -> str | None:
        """The column of a cell with a NUL character, which no item may have."""
        return next((name for name, cell in self.cells.items() if "\0" in cell), None)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table that was read; rows without any text are left out."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]

    def require_columns(self, columns: Iterable[str]) -> None:
        """Refuse the file if it lacks one of these."""
        for column in columns:
            if column not in self.columns:
                message = f"missing column; found: {format_columns(self.columns)}"
                raise BadInput(self.path, message, field=truncate(column))


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """The rows as CSV; cells that a spreadsheet would take for a formula are quoted as text."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([escape_formula(column) for column in columns])
    writer.writerows([escape_formula(row[column]) for column in columns] for row in rows)
    return out.getvalue().encode()


def write_sheet(path: str, rows: Sequence[Mapping[str, str]]) -> None:
    """Write rows, at least one, for people to fill in: `.csv`, or `.jsonl`."""
    check_sheet_path(path)
    if file_extension(path) == "csv":
        # without the mark at the beginning Excel takes UTF-8 for something else
        atomic_io.write_file(path, codecs.BOM_UTF8 + to_csv(list(rows[0]), rows))
    else:
        text = "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows)
        atomic_io.write_file(path, text.encode())


def check_sheet_path(path: str) -> None:
    """Refuse a file that `write` would not write."""
    if file_extension(path) not in ("csv", "jsonl"):
        raise BadInput(path, "must end in .csv or .jsonl")
    atomic_io.check_writable(path)


def read_sheet(path: str) -> Sheet:
    """The table of a file: JSON lines by its ending, else cells with some separator."""
    return (
        _sheet_from_json(path)
        if file_extension(path) in ("jsonl", "ndjson")
        else _sheet_from_text(path)
    )


def escape_formula(cell: str) -> str:
    """The cell as a spreadsheet takes it for text."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unescape_formula(cell: str) -> str:
    """The cell as it was before `inert`."""
    return cell[1:] if _QUOTED.match(cell) else cell


def _sheet_from_json(path: str) -> Sheet:
    from ..formats.jsonl import records

    rows = [SheetRow(line, _cells_as_text(path, line, record)) for line, record in records(path)]
    columns = dict.fromkeys(column for row in rows for column in row.cells)
    return Sheet(path, tuple(columns), tuple(rows))


def _cells_as_text(path: str, line: int, record: Record) -> dict[str, str]:
    """The values as text: numbers as they are spelled, what is missing as nothing."""
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
    separator_line = _SEP.match(text)
    if separator_line:
        text = text[separator_line.end() :]
    rows = _nonblank_rows(path, text, separator_line[1] if separator_line else None)
    columns = _column_names(path, next(rows, (1, []))[1])
    sheet_rows = [_build_row(number, cells, columns) for number, cells in rows]
    return Sheet(path, tuple(filter(None, columns)), tuple(sheet_rows))


def _build_row(number: int, cells: list[str], columns: list[str]) -> SheetRow:
    """A row by column; cells at the end may be missing where they are empty."""
    named_cells = zip(columns, cells + [""] * len(columns), strict=False)
    extra_cells = sum(bool(cell.strip()) for cell in cells[len(columns) :])
    return SheetRow(
        number, {name: unescape_formula(cell) for name, cell in named_cells if name}, extra_cells
    )


def _decode_text(path: str) -> str:
    """All text of a file, lines ended by a line feed."""
    if read_bytes(path).startswith(_ZIP):
        raise BadInput(path, f"is a workbook, not a table of text: {SAVE_HINT}")
    try:
        text = read_utf8(path).decode()
    except BadInput as error:
        raise BadInput(error, SAVE_HINT) from None
    # Excel's "CSV (Macintosh)" ends lines as Macs did of old
    return text if "\n" in text else text.replace("\r", "\n")


def _detect_separator(text: str) -> str:
    """The separator that gives the header the most cells."""
    head = text.lstrip("\r\n")
    return max(
        SEPARATORS,
        key=lambda separator: len(next(csv.reader(_line_stream(head), delimiter=separator), [])),
    )


def _line_stream(text: str) -> io.StringIO:
    return io.StringIO(text, newline="\n")


def _nonblank_rows(path: str, text: str, separator: str | None) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, numbered with those that are."""
    line = 1
    csv.field_size_limit(FILE_LIMIT)  # what a file may hold, a cell may
    try:
        reader = csv.reader(
            _line_stream(text), delimiter=separator or _detect_separator(text), strict=True
        )
        for number, row in enumerate(reader, 1):
            if any(cell.strip() for cell in row):
                yield number, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(path, f"is no table that can be read: {error}", line=line) from None


def _column_names(path: str, header: list[str]) -> list[str]:
    """Names of columns; one without a name is nobody's."""
    names = [unescape_formula(name.strip()) for name in header]
    duplicates = {name for name in names if name and names.count(name) > 1}
    if duplicates:
        raise BadInput(path, "stands twice in the header", field=truncate(min(duplicates)))
    return names
