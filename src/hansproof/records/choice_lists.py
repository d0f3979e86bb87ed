"""Refuses columns of choices whose cells contain lists, which would be read as one choice each.

The user must decide: a program cannot know whether `bread; butter` is one choice or two.
"""

from __future__ import annotations

from collections.abc import Sequence

from .item_schema import RecordSchema, UnknownShape
from .list_cells import detect_list_separator, parse_collection, parse_list
from .location import Location, Record, truncate

SAMPLE_ROWS = 500
MIN_CELLS = 5  # fewer cells do not show a habit
RARELY = 0.2  # share of the cells in other columns that may look like lists, too


def check_choice_lists(
    rows: Sequence[tuple[Location, Record]], schema: RecordSchema, separator: str | None, file: str
) -> None:
    """Raise if one column of choices contains lists, and the user has not said what they are."""
    sample = rows[:SAMPLE_ROWS]
    columns = schema.wrong or schema.choices
    if separator is None and (schema.wrong or len(columns) == 1):
        _ask_separator(sample, columns, schema.answer, file)
    if not schema.wrong and len(columns) > 1:
        _refuse_mixed(sample, columns, file)


def _ask_separator(
    rows: Sequence[tuple[Location, Record]],
    columns: Sequence[str],
    answer: str | None,
    file: str,
) -> None:
    """Ask about texts such as `a; b; c` in a column that should contain lists."""
    is_single = len(columns) == 1
    for column in columns:
        cells = _texts(rows, column)
        separator = detect_list_separator(cells) if cells else None
        if separator is None or any(parse_collection(cell) for cell in cells[:1]):
            continue
        right_texts = _texts(rows, answer) if answer else []
        is_list = is_single or detect_list_separator(right_texts) != separator
        if is_list and separator != ",":
            raise _separator_error(rows, column, separator, file)
        if is_single and separator == "," and all(cell.count(",") for cell in cells):
            raise _separator_error(rows, column, separator, file)


def _separator_error(
    rows: Sequence[tuple[Location, Record]], column: str, separator: str, file: str
) -> UnknownShape:
    location, record = next(
        (location, record) for location, record in rows if isinstance(record.get(column), str)
    )
    sign = {"\n": "\\n"}.get(separator, separator)
    flag = f"--list-separator '{sign}'"
    message = (
        f'"{truncate(str(record[column]))}" looks like several choices: add {flag} if they are, '
        "or --list-separator none if each cell is one choice"
    )
    error = UnknownShape(file, message, line=location.line, field=truncate(column))
    error.flags = flag
    return error


def _refuse_mixed(
    rows: Sequence[tuple[Location, Record]], columns: Sequence[str], file: str
) -> None:
    """Refuse lists in one column of choices where the other columns contain single choices."""
    are_lists = {
        column: [parse_list(cell) is not None for cell in cells]
        for column in columns
        if len(cells := _texts(rows, column)) >= MIN_CELLS
    }
    shares = {column: sum(flags) / len(flags) for column, flags in are_lists.items()}
    separators = {
        column: detect_list_separator(_texts(rows, column)) in (";", "|", "\n") for column in shares
    }
    for column, share in shares.items():
        is_list = share >= 1 - RARELY or separators[column]
        is_alone = all(
            shares[name] <= RARELY and not separators[name] for name in shares if name != column
        )
        if is_list and is_alone:
            location, record = rows[0]
            message = (
                f'contains lists ("{truncate(str(record.get(column)))}"), but the other columns of '
                "choices do not: if one column is the right choice, also name it with --answer"
            )
            raise UnknownShape(file, message, line=location.line, field=truncate(column))


def _texts(rows: Sequence[tuple[Location, Record]], column: str) -> list[str]:
    values = [record.get(column) for _, record in rows]
    return [value for value in values if isinstance(value, str) and value.strip()]
