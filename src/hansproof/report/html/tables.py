"""Tables as the page's script wants them: columns with a kind, rows of plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ...types import Cell, Estimate, Table
from .highlight import MarkedSpan, marked_columns, parse_spans

# What a low and a high are about: shares, which stand beside their chance, and what has none.
_SHARE_COLUMNS = ("productivity", "accuracy", "frequency", "value", "mean")
_INTERVAL_COLUMNS = (*_SHARE_COLUMNS, "gap", "difference", "kappa", "answered", "slope")


def to_records(table: Table) -> list[dict[str, Any]]:
    """The rows by column name."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def pad_rows(table: Table) -> Table:
    """Every row as wide as the columns: a file may hold rows that are not."""
    width = len(table.columns)
    if all(len(row) == width for row in table.rows):
        return table
    missing = (None,) * width
    return Table(table.columns, tuple((row + missing)[:width] for row in table.rows))


def estimates_table(estimates: tuple[Estimate, ...]) -> Table:
    """The estimates of a result as a table like any other."""
    return Table(
        ("estimate", "value", "low", "high", "chance", "n"),
        tuple((e.name, e.value, e.low, e.high, e.chance, e.n) for e in estimates),
    )


def table_data(table: Table, lead: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    """What the page embeds of a table; the columns `lead` and `flag` come first.

    Columns in which no row says anything are not shown.
    """
    intervals, marks_names = _interval_entries(table, meanings), marked_columns(table)
    ends = {table.columns[i] for interval in intervals.values() for i in interval["at"][:2]}
    omitted = {*ends, *marks_names.values(), *_empty_columns(table)} - {lead}
    names = [name for name in table.columns if name not in omitted]
    names.sort(key=lambda name: (name != lead, name != "flag"))
    columns = []
    for name in names:
        columns.append(
            _column_entry(table, name, meanings) | _marks_entry(table, marks_names.get(name))
        )
        if name in intervals:
            columns.append(intervals.pop(name))
    return {
        "columns": [*columns, *intervals.values()],
        "names": table.columns,  # by which the charts refer to the rows
        "rows": _plain_rows(table, marks_names),
    }


def _plain_rows(
    table: Table, marks_names: Mapping[str, str]
) -> list[list[Cell | list[MarkedSpan]]]:
    """Plain values, and the spans of marked texts."""
    rows: list[list[Cell | list[MarkedSpan]]] = [
        [_plain_cell(cell) for cell in row] for row in table.rows
    ]
    for name, marks in marks_names.items():
        text_index, marks_index = table.columns.index(name), table.columns.index(marks)
        for row, plain_row in zip(table.rows, rows, strict=True):
            plain_row[marks_index] = parse_spans(row[text_index], row[marks_index])
    return rows


def _marks_entry(table: Table, name: str | None) -> dict[str, int]:
    """Where the spans of a marked text stand in a row."""
    return {} if name is None else {"marks": table.columns.index(name)}


def _empty_columns(table: Table) -> set[str]:
    """Columns in which no row says anything."""
    cells = dict(zip(table.columns, zip(*table.rows, strict=True), strict=False))
    return {
        name for name, column_cells in cells.items() if all(cell is None for cell in column_cells)
    }


def _column_entry(table: Table, name: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    index = table.columns.index(name)
    return {
        "label": name.replace("_", " "),
        "kind": _column_kind(table, name),
        "at": [index],
        "meaning": meanings.get(name, ""),
    }


def _interval_entries(table: Table, meanings: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """One column for two ends, by the number they are about: low and high, or those of its name."""
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
    """What low and high are about: of the numbers that have an interval the last before them."""
    names = table.columns
    before = names[: names.index("low")] if "low" in names else ()
    candidates = [name for name in _INTERVAL_COLUMNS if name in names]
    return next(
        (name for name in reversed(before) if name in candidates), next(iter(candidates), None)
    )


def _interval_entry(
    table: Table, label: str, low: str, high: str, anchors: list[str], meanings: Mapping[str, str]
) -> dict[str, Any] | None:
    """From low to high, with what they are about and where chance is, if all are numbers."""
    parts = [low, high, *anchors]
    if not {low, high} <= {*table.columns} - _empty_columns(table):
        return None
    if any(_column_kind(table, name) == "text" for name in parts):
        return None
    return {
        "label": label,
        "kind": "interval",
        "at": [table.columns.index(part) for part in parts],
        # only the probe's own section knows what the interval is of
        "meaning": meanings.get(label, "from low to high"),
    }


def _column_kind(table: Table, name: str) -> str:
    index = table.columns.index(name)
    cells = [row[index] for row in table.rows if row[index] is not None]
    if not all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells):
        return "text"
    if name in ("p", "q") or name.endswith("_p"):
        return "p"
    return "count" if all(isinstance(cell, int) for cell in cells) else "number"


def _plain_cell(cell: Cell) -> Cell:
    """Six digits are more than anybody reads; JSON knows no infinities."""
    if isinstance(cell, float):
        return float(f"{cell:.6g}") if math.isfinite(cell) else None
    return cell
