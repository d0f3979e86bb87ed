"""Tables as the page's script wants them: columns with a kind, rows of plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..types import Cell, Estimate, Table
from .marked import Span, marked, spans

# What a low and a high are about: shares, which stand beside their chance, and what has none.
_SHARES = ("productivity", "accuracy", "frequency", "value", "mean")
_MIDDLES = (*_SHARES, "gap", "difference", "kappa", "answered", "slope")


def records(table: Table) -> list[dict[str, Any]]:
    """The rows by column name."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def evened(table: Table) -> Table:
    """Every row as wide as the columns: a file may hold rows that are not."""
    width = len(table.columns)
    if all(len(row) == width for row in table.rows):
        return table
    missing = (None,) * width
    return Table(table.columns, tuple((row + missing)[:width] for row in table.rows))


def of_estimates(estimates: tuple[Estimate, ...]) -> Table:
    """The estimates of a result as a table like any other."""
    return Table(
        ("estimate", "value", "low", "high", "chance", "n"),
        tuple((e.name, e.value, e.low, e.high, e.chance, e.n) for e in estimates),
    )


def table_data(table: Table, lead: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    """What the page embeds of a table; the columns `lead` and `flag` come first.

    Columns in which no row says anything are not shown.
    """
    intervals, beside = _intervals(table, meanings), marked(table)
    ends = {table.columns[at] for interval in intervals.values() for at in interval["at"][:2]}
    unseen = {*ends, *beside.values(), *_empty(table)} - {lead}
    names = [name for name in table.columns if name not in unseen]
    names.sort(key=lambda name: (name != lead, name != "flag"))
    columns = []
    for name in names:
        columns.append(_column(table, name, meanings) | _marks(table, beside.get(name)))
        if name in intervals:
            columns.append(intervals.pop(name))
    return {
        "columns": [*columns, *intervals.values()],
        "names": table.columns,  # by which the charts refer to the rows
        "rows": _rows(table, beside),
    }


def _rows(table: Table, beside: Mapping[str, str]) -> list[list[Cell | list[Span]]]:
    """Plain values, and the spans of marked texts."""
    rows: list[list[Cell | list[Span]]] = [[_plain(cell) for cell in row] for row in table.rows]
    for name, marks in beside.items():
        text, at = table.columns.index(name), table.columns.index(marks)
        for row, plain in zip(table.rows, rows, strict=True):
            plain[at] = spans(row[text], row[at])
    return rows


def _marks(table: Table, name: str | None) -> dict[str, int]:
    """Where the spans of a marked text stand in a row."""
    return {} if name is None else {"marks": table.columns.index(name)}


def _empty(table: Table) -> set[str]:
    """Columns in which no row says anything."""
    cells = dict(zip(table.columns, zip(*table.rows, strict=True), strict=False))
    return {name for name, some in cells.items() if all(cell is None for cell in some)}


def _column(table: Table, name: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    at = table.columns.index(name)
    return {
        "label": name.replace("_", " "),
        "kind": _kind(table, name),
        "at": [at],
        "meaning": meanings.get(name, ""),
    }


def _intervals(table: Table, meanings: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """One column for two ends, by the number they are about: low and high, or those of its name."""
    middle = _middle(table)
    against = "chance" if middle is None or middle in _SHARES else None
    wanted = {name: (f"{name} interval", f"{name}_low", f"{name}_high") for name in table.columns}
    found = {name: _interval(table, *named, [name], meanings) for name, named in wanted.items()}
    whole = [name for name in (middle, against) if name in table.columns and name]
    main = _interval(table, "interval", "low", "high", whole, meanings)
    if main:
        found[middle or ""] = main
    return {name: made for name, made in found.items() if made}


def _middle(table: Table) -> str | None:
    """What low and high are about: of the numbers that have an interval the last before them."""
    names = table.columns
    before = names[: names.index("low")] if "low" in names else ()
    known = [name for name in _MIDDLES if name in names]
    return next((name for name in reversed(before) if name in known), next(iter(known), None))


def _interval(
    table: Table, label: str, low: str, high: str, about: list[str], meanings: Mapping[str, str]
) -> dict[str, Any] | None:
    """From low to high, with what they are about and where chance is, if all are numbers."""
    parts = [low, high, *about]
    if not {low, high} <= {*table.columns} - _empty(table):
        return None
    if any(_kind(table, name) == "text" for name in parts):
        return None
    return {
        "label": label,
        "kind": "interval",
        "at": [table.columns.index(part) for part in parts],
        # only the probe's own section knows what the interval is of
        "meaning": meanings.get(label, "from low to high"),
    }


def _kind(table: Table, name: str) -> str:
    at = table.columns.index(name)
    cells = [row[at] for row in table.rows if row[at] is not None]
    if not all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells):
        return "text"
    if name in ("p", "q") or name.endswith("_p"):
        return "p"
    return "count" if all(isinstance(cell, int) for cell in cells) else "number"


def _plain(cell: Cell) -> Cell:
    """Six digits are more than anybody reads; JSON knows no infinities."""
    if isinstance(cell, float):
        return float(f"{cell:.6g}") if math.isfinite(cell) else None
    return cell
