"""Excel workbooks: one sheet with a header and one row per item, or several such sheets."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import closing
from datetime import date, time, timedelta
from typing import Any

from .._infra.join_names import join_names
from ..errors import BadInput, MissingExtra, first_line
from ..records.column_names import find_roles
from ..records.lines import FILE_LIMIT, require_regular_file
from ..records.location import Records, truncate
from ._table_rows import Row, read_rows

SIZE_LIMIT = 4 * FILE_LIMIT  # bytes after unpacking: a small file may unpack to gigabytes
MAX_BLANK_ROWS = 20_000  # in a row; a stray cell may be a million rows away
SHEET_COLUMN = "sheet"


def records(path: str, header: bool | None = True) -> Records:
    """Yield one record per row, numbered as in the sheet."""
    sheets = _read_sheets(path)
    item_sheets = {name: rows for name, rows in sheets.items() if _has_items(rows)} or sheets
    if not item_sheets:
        return
    if len(item_sheets) > 1 and item_sheets is sheets:
        names = join_names([truncate(name) for name in sheets])
        raise BadInput(
            path,
            f"none of the sheets {names} is recognised: save the sheet of items to a file of its "
            "own",
        )
    for name, rows in item_sheets.items():
        for line, record in read_rows(path, iter(rows), header):
            yield line, {**record, SHEET_COLUMN: name} if len(item_sheets) > 1 else record


def _read_sheets(path: str) -> dict[str, list[Row]]:
    """Read the sheets that are not empty."""
    try:
        import openpyxl
    except ImportError:
        raise MissingExtra("xlsx", path) from None
    _check_size(path)
    try:
        # row by row, since a single cell far away would otherwise need memory for all before it
        workbook = openpyxl.load_workbook(path, read_only=True, data_only=True)
        with closing(workbook):
            sheets = {
                sheet.title: _read_rows(sheet.iter_rows(values_only=True), path)
                for sheet in workbook.worksheets
            }
    except (BadInput, MemoryError):
        raise
    except Exception as error:  # broken files raise errors of many types
        raise BadInput(path, f"broken workbook: {first_line(error)}") from None
    return {name: rows for name, rows in sheets.items() if rows}


def _check_size(path: str) -> None:
    """Raise if a file is not a workbook, or would unpack to too many bytes."""
    require_regular_file(path)
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
    except FileNotFoundError:
        raise BadInput(path, "no such file") from None
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadInput(path, f"is not a workbook: {error}") from None
    if size > SIZE_LIMIT:
        raise BadInput(path, f"unpacks to more than {SIZE_LIMIT >> 20} MiB: save it as CSV")


def _read_rows(rows: Iterator[tuple[Any, ...]], path: str) -> list[Row]:
    """Read the rows that are not blank, all as wide as the widest."""
    numbered: list[tuple[int, list[object]]] = []
    for number, row in enumerate(rows, 1):
        if number - (numbered[-1][0] if numbered else 0) > MAX_BLANK_ROWS:
            message = f"a sheet has {MAX_BLANK_ROWS:,} blank rows before a cell: save it as CSV"
            raise BadInput(path, message)
        cells = [_plain_value(cell) for cell in row]
        while cells and cells[-1] == "":
            cells.pop()
        if any(cell != "" for cell in cells):
            numbered.append((number, cells))
    width = max((len(cells) for _, cells in numbered), default=0)
    return [(number, [*cells, *[""] * (width - len(cells))]) for number, cells in numbered]


def _plain_value(cell: object) -> object:
    """Convert a cell to text or a number; a sheet has only one kind of number."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(cell) if isinstance(cell, timedelta) else cell


def _has_items(rows: list[Row]) -> bool:
    """Tell whether the first row names the columns of items."""
    roles = find_roles([str(cell) for cell in rows[0][1]])
    return bool(roles.fields and (roles.choices or roles.wrong))
