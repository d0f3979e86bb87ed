"""Tables as data for the script of the page: columns with a kind, rows of plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...types import Cell, Estimate, Table
from ..format_numbers import floor_columns, is_p_column
from .highlight import MarkedSpan, marked_columns, parse_spans

# Columns that `low` and `high` may belong to: shares, which have a chance level, and others.
_SHARE_COLUMNS = ("productivity", "accuracy", "frequency", "value", "mean", "precision")
_INTERVAL_COLUMNS = (*_SHARE_COLUMNS, "gap", "difference", "kappa", "answered", "slope")


def to_records(table: Table) -> list[dict[str, Any]]:
    """Return the rows as dicts by column name."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def pad_rows(table: Table) -> Table:
    """Pad or cut rows to the number of columns: rows of an untrusted file may differ."""
    width = len(table.columns)
    if all(len(row) == width for row in table.rows):
        return table
    missing = (None,) * width
    return Table(table.columns, tuple((row + missing)[:width] for row in table.rows))


def move_columns(table: Table, names: tuple[str, ...], after: str) -> Table:
    """Return the table with some columns moved to the right of another."""
    order = [name for name in table.columns if name not in names]
    position = order.index(after) + 1
    order[position:position] = [name for name in names if name in table.columns]
    indices = [table.columns.index(name) for name in order]
    return Table(tuple(order), tuple(tuple(row[i] for i in indices) for row in table.rows))


def estimates_table(estimates: tuple[Estimate, ...]) -> Table:
    """Turn the estimates of a result into a table."""
    return Table(
        ("estimate", "value", "low", "high", "chance", "n"),
        tuple((e.name, e.value, e.low, e.high, e.chance, e.n) for e in estimates),
    )


def table_data(table: Table, lead: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    """Build the data that the page embeds for a table, with columns `lead` and `flag` first.

    Empty columns are left out.
    """
    intervals, marks_names = _interval_entries(table, meanings), marked_columns(table)
    ends = {table.columns[i] for interval in intervals.values() for i in interval["indices"][:2]}
    floor_names = floor_columns(table.columns)
    companions = {*marks_names.values(), *floor_names.values()}
    omitted = {*ends, *companions, *_empty_columns(table)} - {lead}
    names = [name for name in table.columns if name not in omitted]
    names.sort(key=lambda name: (name != lead, name != "flag"))
    columns = []
    for name in names:
        columns.append(
            _column_entry(table, name, meanings)
            | _companion_entry(table, "marks", marks_names.get(name))
            | _companion_entry(table, "floor", floor_names.get(name))
        )
        if name in intervals:
            columns.append(intervals.pop(name))
    return {
        "columns": [*columns, *intervals.values()],
        "names": table.columns,  # the charts refer to columns by name
        "rows": _plain_rows(table, marks_names),
    }


def _plain_rows(
    table: Table, marks_names: Mapping[str, str]
) -> list[list[Cell | list[MarkedSpan]]]:
    """Convert rows to plain values and the spans of marked texts."""
    rows: list[list[Cell | list[MarkedSpan]]] = [
        [_plain_cell(cell) for cell in row] for row in table.rows
    ]
    for name, marks in marks_names.items():
        text_index, marks_index = table.columns.index(name), table.columns.index(marks)
        for row, plain_row in zip(table.rows, rows, strict=True):
            plain_row[marks_index] = parse_spans(row[text_index], row[marks_index])
    return rows


def _companion_entry(table: Table, kind: str, name: str | None) -> dict[str, int]:
    """Return the index of the column with the spans of a text, or with the floors of a p."""
    return {} if name is None else {kind: table.columns.index(name)}


def _empty_columns(table: Table) -> set[str]:
    """Return the names of the columns that are empty in all rows."""
    cells = dict(zip(table.columns, zip(*table.rows, strict=True), strict=False))
    return {
        name for name, column_cells in cells.items() if all(cell is None for cell in column_cells)
    }


def _column_entry(table: Table, name: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    index = table.columns.index(name)
    return {
        "label": name.replace("_", " "),
        "kind": _column_kind(table, name),
        "indices": [index],
        "meaning": meanings.get(name, ""),
    }


def _interval_entries(table: Table, meanings: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Build interval columns by the column they belong to: `low` and `high`, or `<name>_low`, …"""
    middle = _interval_middle(table)
    baseline = "chance" if middle is None or middle in _SHARE_COLUMNS else None
    end_names = {
        name: (f"{name} interval", f"{name}_low", f"{name}_high") for name in table.columns
    }
    intervals = {
        name: _interval_entry(table, *ends, [name], meanings) for name, ends in end_names.items()
    }
    anchors = [name for name in (middle, baseline) if name in table.columns and name]
    main_interval = _interval_entry(table, "interval", "low", "high", anchors, meanings)
    if main_interval:
        intervals[middle or ""] = main_interval
    return {name: interval for name, interval in intervals.items() if interval}


def _interval_middle(table: Table) -> str | None:
    """Find the column that `low` and `high` belong to: the last candidate before them."""
    names = table.columns
    before = names[: names.index("low")] if "low" in names else ()
    candidates = [name for name in _INTERVAL_COLUMNS if name in names]
    return next(
        (name for name in reversed(before) if name in candidates), next(iter(candidates), None)
    )


def _interval_entry(
    table: Table, label: str, low: str, high: str, anchors: list[str], meanings: Mapping[str, str]
) -> dict[str, Any] | None:
    """Build an interval column with its value and chance, if all of them are numbers."""
    parts = [low, high, *anchors]
    if not {low, high} <= {*table.columns} - _empty_columns(table):
        return None
    if any(_column_kind(table, name) == "text" for name in parts):
        return None
    return {
        "label": label,
        "kind": "interval",
        "indices": [table.columns.index(part) for part in parts],
        # only the section of the probe knows what the interval means
        "meaning": meanings.get(label, "from low to high"),
    }


def _column_kind(table: Table, name: str) -> str:
    index = table.columns.index(name)
    cells = [row[index] for row in table.rows if row[index] is not None]
    if not all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells):
        return "text"
    if is_p_column(name):
        return "p"
    return "count" if all(isinstance(cell, int) for cell in cells) else "number"


def _plain_cell(cell: Cell) -> Cell:
    """Round to six digits; infinities become None, as JSON has none."""
    if isinstance(cell, float):
        return float(f"{cell:.6g}") if math.isfinite(cell) else None
    return cell
