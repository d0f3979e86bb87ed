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

from .. import files
from ..errors import BadInput
from ._lines import FILE_LIMIT, document, whole
from ._record import Record, kind, listed, shown, spelled, suffix

SEPARATORS = (",", ";", "\t")
SAVE = 'save it as "CSV UTF-8"'

# what a spreadsheet would take for a formula; apostrophes before it, so that one more can go again
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_QUOTED = re.compile(r"'+[=+\-@\t\r]")
_SEP = re.compile(r"\s*\"?sep=([^\w\s\"]|\t)\"?\s*(?:\r\n|\n)")
_ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row by column."""

    number: int  # as a spreadsheet counts: the header is row 1; of JSON lines, the line
    cells: dict[str, str]
    beyond: int = 0  # cells that hold something and have no column

    def nul(self) -> str | None:
        """The column of a cell with a NUL character, which no item may have."""
        return next((name for name, cell in self.cells.items() if "\0" in cell), None)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table that was read; rows without any text are left out."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def require(self, columns: Iterable[str]) -> None:
        """Refuse the file if it lacks one of these."""
        for column in columns:
            if column not in self.columns:
                what = f"missing column; found: {listed(self.columns)}"
                raise BadInput(self.path, what, field=shown(column))


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """The rows as CSV; cells that a spreadsheet would take for a formula are quoted as text."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([inert(column) for column in columns])
    writer.writerows([inert(row[column]) for column in columns] for row in rows)
    return out.getvalue().encode()


def write(path: str, rows: Sequence[Mapping[str, str]]) -> None:
    """Write rows, at least one, for people to fill in: `.csv`, or `.jsonl`."""
    check(path)
    if suffix(path) == "csv":
        # without the mark at the beginning Excel takes UTF-8 for something else
        files.write(path, codecs.BOM_UTF8 + to_csv(list(rows[0]), rows))
    else:
        text = "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows)
        files.write(path, text.encode())


def check(path: str) -> None:
    """Refuse a file that `write` would not write."""
    if suffix(path) not in ("csv", "jsonl"):
        raise BadInput(path, "must end in .csv or .jsonl")
    files.check(path)


def read(path: str) -> Sheet:
    """The table of a file: JSON lines by its ending, else cells with some separator."""
    return _from_json(path) if suffix(path) in ("jsonl", "ndjson") else _from_cells(path)


def inert(cell: str) -> str:
    """The cell as a spreadsheet takes it for text."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def plain(cell: str) -> str:
    """The cell as it was before `inert`."""
    return cell[1:] if _QUOTED.match(cell) else cell


def _from_json(path: str) -> Sheet:
    from .jsonl import records

    rows = [Row(line, _texts(path, line, record)) for line, record in records(path)]
    columns = dict.fromkeys(column for row in rows for column in row.cells)
    return Sheet(path, tuple(columns), tuple(rows))


def _texts(path: str, line: int, record: Record) -> dict[str, str]:
    """The values as text: numbers as they are spelled, what is missing as nothing."""
    found = {}
    for name, value in record.items():
        text = "" if value is None else spelled(value)
        if not isinstance(text, str):
            raise BadInput(path, f"is {kind(value)}, not text", line=line, field=shown(name))
        found[name] = text
    return found


def _from_cells(path: str) -> Sheet:
    text = _text(path)
    told = _SEP.match(text)
    if told:
        text = text[told.end() :]
    rows = _rows(path, text, told[1] if told else None)
    columns = _columns(path, next(rows, (1, []))[1])
    found = [_row(number, cells, columns) for number, cells in rows]
    return Sheet(path, tuple(filter(None, columns)), tuple(found))


def _row(number: int, cells: list[str], columns: list[str]) -> Row:
    """A row by column; cells at the end may be missing where they are empty."""
    named = zip(columns, cells + [""] * len(columns), strict=False)
    beyond = sum(bool(cell.strip()) for cell in cells[len(columns) :])
    return Row(number, {name: plain(cell) for name, cell in named if name}, beyond)


def _text(path: str) -> str:
    """All text of a file, lines ended by a line feed."""
    if whole(path).startswith(_ZIP):
        raise BadInput(path, f"is a workbook, not a table of text: {SAVE}")
    try:
        text = document(path).decode()
    except BadInput as error:
        raise BadInput(error, SAVE) from None
    # Excel's "CSV (Macintosh)" ends lines as Macs did of old
    return text if "\n" in text else text.replace("\r", "\n")


def _separator(text: str) -> str:
    """The separator that gives the header the most cells."""
    head = text.lstrip("\r\n")
    return max(SEPARATORS, key=lambda one: len(next(csv.reader(_lines(head), delimiter=one), [])))


def _lines(text: str) -> io.StringIO:
    return io.StringIO(text, newline="\n")


def _rows(path: str, text: str, separator: str | None) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, numbered with those that are."""
    line = 1
    csv.field_size_limit(FILE_LIMIT)  # what a file may hold, a cell may
    try:
        reader = csv.reader(_lines(text), delimiter=separator or _separator(text), strict=True)
        for number, row in enumerate(reader, 1):
            if any(cell.strip() for cell in row):
                yield number, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(path, f"is no table that can be read: {error}", line=line) from None


def _columns(path: str, header: list[str]) -> list[str]:
    """Names of columns; one without a name is nobody's."""
    names = [plain(name.strip()) for name in header]
    twice = {name for name in names if name and names.count(name) > 1}
    if twice:
        raise BadInput(path, "stands twice in the header", field=shown(min(twice)))
    return names
