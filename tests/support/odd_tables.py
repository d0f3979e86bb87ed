"""Tables that no probe writes: with columns, rows or cells that sections do not expect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from hansproof.types import Cell, Result, Table

from .report_sample import sample

SMALL = sample(("dev",), 60, 30, 2)
DRAWN = {"class_balance": "positions", "cues": "cues", "integrity": "findings", "surface": "tells"}
NOTE = "Shown without pictures"
cells = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.text(max_size=3), st.floats(allow_nan=False)
)


def with_table(result: Result, change: Callable[[Table], Table], name: str = "") -> Result:
    name = name or DRAWN[result.probe]
    return replace(result, tables=result.tables | {name: change(result.tables[name])})


def with_cell(result: Result, column: str, cell: Cell, table: str = "") -> Result:
    """The first row with another cell."""

    def change(old: Table) -> Table:
        at = old.columns.index(column)
        first = (*old.rows[0][:at], cell, *old.rows[0][at + 1 :])
        return Table(old.columns, (first, *old.rows[1:]))

    return with_table(result, change, table)


def cut(table: Table) -> Table:
    return Table(table.columns, (table.rows[0][:2], *table.rows[1:]))


def widened(table: Table) -> Table:
    return Table(table.columns, tuple((*row, "more") for row in table.rows))


def renamed(table: Table) -> Table:
    return Table((f"{table.columns[0]} of old", *table.columns[1:]), table.rows)


def doubled(table: Table) -> Table:
    return Table((*table.columns, table.columns[0]), tuple((*r, r[0]) for r in table.rows))


def bare(table: Table) -> Table:
    return Table((), ((), ()))
