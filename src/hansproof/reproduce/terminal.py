"""A reproduction in the terminal: a table for each of the paper's, cells with both numbers.

What is printed, a mark (✓ reached, ≠ differs, ✗ contradicts), ours; behind an arrow the re-run.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from ..report.rows import Rows
from ..report.visible import visible
from .figures import TEXT
from .outcome import Counts, Outcome, Reproduction, Status
from .shown import Line, Shown, tables, text

MARKS = {
    Status.EXACT: "✓", Status.PREDICTIONS: "✓", Status.DIFFERS: "≠", Status.RERUN: "",
    Status.CANNOT: "", Status.CONTRADICTS: "✗",
}  # fmt: skip


def shown(found: Reproduction) -> RenderableType:
    """All of it."""
    paper = found.paper
    head = Text.assemble((visible(paper.title), "bold"), "\n", visible(paper.citation), "\n")
    return Group(head, *(part for table in tables(found) for part in _table(table)), _end(found))


def _table(table: Shown) -> Iterator[RenderableType]:
    about = "" if table.printed.id == TEXT else f": {table.printed.title}"
    lead = ", ".join(table.labels).replace("_", " ")
    columns = [name.replace("_", " ") for name in table.columns]
    rows = [
        [
            ", ".join(filter(None, line.labels)) or str(at),
            *(cell(line.cells[c]) if c in line.cells else "" for c in table.columns),
            _kinds(line),
        ]
        for at, line in enumerate(table.lines, 1)
    ]
    yield Rows(visible(f"{table.name}{about}"), [lead or "row", *columns, "status"],
               [[*map(visible, row)] for row in rows])  # fmt: skip
    yield Text(said(table.counts), "dim")
    for reason in table.reasons:
        yield Text(visible(f"cannot be had: {reason}"), "dim")
    for what in table.findings:
        yield Text(visible(f"! {what}"), "red")
    for what in table.notes:
        yield Text(visible(f"note: {what}"))
    yield Text("")


def _kinds(line: Line) -> str:
    """The model of a re-run is named at the end: a row has no room for it."""
    return ", ".join(dict.fromkeys(one.status.value for one in line.cells.values()))


def cell(one: Outcome) -> str:
    """What is printed with its mark; ours, where it is another; and the re-run."""
    parts = [text(one.figure.parts, one.figure), MARKS[one.status]]
    if one.ours and one.status not in (Status.EXACT, Status.PREDICTIONS):
        parts.append(text(one.ours.parts, one.figure))
    if one.rerun:
        parts += ["→", text(one.rerun.parts, one.figure)]
    return " ".join(filter(None, parts))


def said(found: Counts) -> str:
    """Reached, reachable, all."""
    parts = [f"{count} {status}" for status, count in found.by_status.items()]
    return (
        f"{found.reached} of {found.reachable} reachable figures reached, {found.total} in all: "
        f"{', '.join(parts)}."
    )


def _end(found: Reproduction) -> RenderableType:
    made = Text(f"{found.paper.key}: {said(found.counts())}", "bold")
    if found.model:
        made.append(visible(f"\n→ re-run with {found.model}"))
    return made
