"""Excel workbooks: one sheet with a header and one row per item, or several such sheets."""

from __future__ import annotations

import zipfile
from datetime import date, time, timedelta
from typing import Any

from .._infra.join_names import join_names
from ..errors import BadInput, MissingExtra
from ..records.column_names import find_roles
from ..records.lines import FILE_LIMIT, require_regular_file
from ..records.location import Records, truncate
from ._table_rows import Row, read_rows

SIZE_LIMIT = 4 * FILE_LIMIT  # bytes after unpacking: a small file may unpack to gigabytes
SHEET_COLUMN = "sheet"


def records(path: str, header: bool | None = True) -> Records:
    """Yield one record per row, numbered as in the sheet."""
    sheets = _read_sheets(path)
    item_sheets = {name: rows for name, rows in sheets.items() if _has_items(rows)} or sheets
    if not item_sheets:
        return
    if len(item_sheets) > 1 and item_sheets is sheets:
        names = join_names([truncate(name) for name in sheets])
        raise BadInput(path, f"none of the sheets {names} is recognised: save one alone")
    for name, rows in item_sheets.items():
        for line, record in read_rows(path, iter(rows), header):
            yield line, {**record, SHEET_COLUMN: name} if len(item_sheets) > 1 else record


def _read_sheets(path: str) -> dict[str, list[Row]]:
    """Read the sheets that are not empty."""
    try:
        import python_calamine
    except ImportError:
        raise MissingExtra("xlsx", path) from None
    _check_size(path)
    try:
        workbook = python_calamine.CalamineWorkbook.from_path(path)
        sheets = {
            name: _nonblank_rows(workbook.get_sheet_by_name(name).to_python(skip_empty_area=False))
            for name in workbook.sheet_names
        }
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise BadInput(path, f"broken workbook: {error}") from None
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


def _nonblank_rows(rows: list[list[Any]]) -> list[Row]:
    return [
        (number, [_plain_value(cell) for cell in row])
        for number, row in enumerate(rows, 1)
        if any(str(cell).strip() for cell in row)
    ]


def _plain_value(cell: object) -> object:
    """Convert a cell to text or a number; a sheet has only one kind of number."""
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
