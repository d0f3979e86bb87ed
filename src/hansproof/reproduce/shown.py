"""Figures and tables in words: what terminal, page and JSON have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .figures import TEXT, VALUE, Figure, Printed, Value
from .outcome import Counts, Outcome, Reproduction, Status, counts

ORDER = [*Status]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: what names it, and by column what became of its figures."""

    labels: tuple[str, ...]
    cells: dict[str, Outcome]

    def status(self) -> str:
        """Of the row: one word where it has one, else what there is."""
        every = sorted(self.cells.values(), key=lambda one: ORDER.index(one.status))
        return ", ".join(dict.fromkeys(one.said() for one in every))


@dataclass(frozen=True, slots=True)
class Shown:
    """A table as it is shown."""

    printed: Printed
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    counts: Counts
    findings: tuple[str, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]  # why figures cannot be had, each once

    @property
    def name(self) -> str:
        return "Running text" if self.printed.id == TEXT else self.printed.id.replace("-", " ")


def tables(found: Reproduction) -> tuple[Shown, ...]:
    """All tables that were asked for."""
    shown = [
        _shown(found, found.paper.tables[id], outcomes) for id, outcomes in found.tables().items()
    ]
    return tuple(shown)


def _shown(found: Reproduction, table: Printed, outcomes: Sequence[Outcome]) -> Shown:
    cells: dict[int, dict[str, Outcome]] = {}
    for one in outcomes:
        _, row, column = one.figure.place
        cells.setdefault(row, {})["figure" if table.id == TEXT else column] = one
    lines = tuple(
        Line(tuple(_label(table.rows[row][name]) for name in table.labels), some)
        for row, some in cells.items()
    )
    reasons = dict.fromkeys(one.why for one in outcomes if one.status == Status.CANNOT)
    return Shown(
        table, table.labels, table.columns, lines, counts(outcomes),
        tuple(f.text for f in found.findings if f.table == table.id),
        found.notes.get(table.id, ()), tuple(reasons),
    )  # fmt: skip


def _label(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def text(parts: Mapping[str, Value], figure: Figure) -> str:
    """A figure as the paper would print it: 76.5 ± 2.7."""
    written = [
        number(value, figure.digits.get(part, 0))
        for part, value in parts.items()
        if part in figure.parts
    ]
    return (" ± " if "mean" in figure.parts else " / ").join(written)


def number(value: Value, digits: int) -> str:
    """With so many digits after the point; words as they are."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    written = f"{value:.{digits}f}"
    return written.removeprefix("-") if float(written) == 0 else written


def difference(one: Outcome) -> float | None:
    """Ours less what is printed; of a score, of the mean."""
    ours = one.ours or one.rerun
    part = "mean" if "mean" in one.figure.parts else VALUE
    if ours is None or part not in ours.parts or part not in one.figure.parts:
        return None
    here, there = ours.parts[part], one.figure.parts[part]
    if isinstance(here, str | bool) or isinstance(there, str | bool):
        return None
    return here - there
