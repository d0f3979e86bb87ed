"""A reproduction in the terminal: a table for each of the paper's, cells with both numbers."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .figures import TEXT
from .outcome import Counts, Outcome, Reproduction, Status
from .shown import Line, Shown, tables, text

STYLES = {
    Status.EXACT: "green", Status.PREDICTIONS: "green", Status.DIFFERS: "yellow",
    Status.RERUN: "cyan", Status.CANNOT: "dim", Status.CONTRADICTS: "red",
}  # fmt: skip
MARKS = {
    Status.EXACT: "✓", Status.PREDICTIONS: "✓", Status.DIFFERS: "≠", Status.RERUN: "",
    Status.CANNOT: "", Status.CONTRADICTS: "✗",
}  # fmt: skip


def shown(found: Reproduction) -> RenderableType:
    """All of it."""
    paper = found.paper
    head = Text.assemble((paper.title, "bold"), "\n", paper.citation, "\n")
    return Group(head, *(part for table in tables(found) for part in _table(table)), _end(found))


def _table(table: Shown) -> Iterator[RenderableType]:
    about = "" if table.printed.id == TEXT else f": {table.printed.title}"
    made = Table(title=Text(f"{table.name}{about}", "bold"), title_justify="left",
                 header_style="none", pad_edge=False, box=None, padding=(0, 1))  # fmt: skip
    for name in table.labels:
        made.add_column(name.replace("_", " "), overflow="fold")
    for name in table.columns:
        made.add_column(name.replace("_", " "), justify="right", no_wrap=True)
    made.add_column("status")
    for line in table.lines:
        cells = [cell(line.cells[c]) if c in line.cells else Text("") for c in table.columns]
        made.add_row(*map(Text, line.labels), *cells, Text(_kinds(line), "dim"))
    yield made
    yield Text(f"  {said(table.counts)}", "dim")
    for reason in table.reasons:
        yield Text(f"  cannot be had: {reason}", "dim")
    for what in table.findings:
        yield Text(f"  ! {what}", "red")
    for what in table.notes:
        yield Text(f"  note: {what}")
    yield Text("")


def _kinds(line: Line) -> str:
    """The model of a re-run is named at the end: a row has no room for it."""
    return ", ".join(dict.fromkeys(one.status.value for one in line.cells.values()))


def cell(one: Outcome) -> Text:
    """What is printed; below it ours, where it is another, and the re-run."""
    style, mark = STYLES[one.status], MARKS[one.status]
    made = Text(f"{text(one.figure.parts, one.figure)} {mark}".rstrip(), style, no_wrap=True)
    if one.ours and one.status not in (Status.EXACT, Status.PREDICTIONS):
        made.append(f"\n{text(one.ours.parts, one.figure)} ours", style)
    if one.rerun:
        made.append(f"\n{text(one.rerun.parts, one.figure)} →", "cyan")
    return made


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
        made.append(f"\n→ re-run with {found.model}")
    return made
