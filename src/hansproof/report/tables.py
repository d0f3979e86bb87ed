"""Tables as the page's script wants them: columns with a kind, rows of plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..types import Cell, Estimate, Table

_MIDDLES = ("productivity", "accuracy", "frequency", "value")  # what a low and a high are about


def records(table: Table) -> list[dict[str, Any]]:
    """The rows by column name."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def of_estimates(estimates: tuple[Estimate, ...]) -> Table:
    """The estimates of a result as a table like any other."""
    return Table(
        ("estimate", "value", "low", "high", "chance", "n"),
        tuple((e.name, e.value, e.low, e.high, e.chance, e.n) for e in estimates),
    )


def table_data(table: Table, lead: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    """What the page embeds of a table; the columns `lead` and `flag` come first."""
    names = [name for name in table.columns if name not in ("low", "high")]
    names.sort(key=lambda name: (name != lead, name != "flag"))
    columns = [_column(table, name, meanings) for name in names]
    if {"low", "high"} <= set(table.columns):
        _insert_interval(table, names, columns)
    return {
        "columns": columns,
        "names": table.columns,  # by which the charts refer to the rows
        "rows": [[_plain(cell) for cell in row] for row in table.rows],
    }


def _column(table: Table, name: str, meanings: Mapping[str, str]) -> dict[str, Any]:
    at = table.columns.index(name)
    return {
        "label": name.replace("_", " "),
        "kind": _kind(name, [row[at] for row in table.rows if row[at] is not None]),
        "at": [at],
        "meaning": meanings.get(name, ""),
    }


def _insert_interval(table: Table, names: list[str], columns: list[dict[str, Any]]) -> None:
    """One column for low and high, after the number they are about, drawn against chance."""
    middle = next((name for name in _MIDDLES if name in table.columns), None)
    parts = ["low", "high"] + [n for n in (middle, "chance") if n in table.columns]
    interval = {
        "label": "interval",
        "kind": "interval",
        "at": [table.columns.index(part) for part in parts],
        "meaning": "from where to where the true value lies, with 95 % confidence",
    }
    columns.insert(names.index(middle) + 1 if middle else len(columns), interval)


def _kind(name: str, cells: list[Cell]) -> str:
    if name in ("p", "q") or name.endswith("_p"):
        return "p"
    if not all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells):
        return "text"
    return "count" if all(isinstance(cell, int) for cell in cells) else "number"


def _plain(cell: Cell) -> Cell:
    """Six digits are more than anybody reads; JSON knows no infinities."""
    if isinstance(cell, float):
        return float(f"{cell:.6g}") if math.isfinite(cell) else None
    return cell
