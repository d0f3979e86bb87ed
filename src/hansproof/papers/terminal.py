"""Reproductions in the terminal: one table for each table of the paper.

A cell has the printed figure, a mark (✓ reached, ≠ differs, ✗ contradicts), the computed figure
where it differs, and after an arrow the figure of a retrained model.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from ..report.escape import reveal_hidden
from ..report.terminal.table import TerminalTable
from .printed_figures import TEXT
from .render import ComparisonRow, ComparisonTable, comparison_tables, format_figure
from .reproduction import FigureComparison, FigureCounts, FigureStatus, Reproduction

STATUS_MARKS = {
    FigureStatus.EXACT: "✓", FigureStatus.PREDICTIONS: "✓", FigureStatus.DIFFERS: "≠",
    FigureStatus.RERUN: "", FigureStatus.CANNOT: "", FigureStatus.CONTRADICTS: "✗",
}  # fmt: skip


def render_terminal(reproduction: Reproduction) -> RenderableType:
    """Render a reproduction: title, tables and totals."""
    paper = reproduction.paper
    header = Text.assemble(
        (reveal_hidden(paper.title), "bold"), "\n", reveal_hidden(paper.citation), "\n"
    )
    return Group(
        header,
        *(part for table in comparison_tables(reproduction) for part in _render_table(table)),
        _render_footer(reproduction),
    )


def _render_table(table: ComparisonTable) -> Iterator[RenderableType]:
    subtitle = "" if table.printed.id == TEXT else f": {table.printed.title}"
    row_header = ", ".join(table.labels).replace("_", " ")
    columns = [name.replace("_", " ") for name in table.columns]
    rows = [
        [
            ", ".join(filter(None, comparison_row.labels)) or str(i),
            *(
                format_cell(comparison_row.cells[c]) if c in comparison_row.cells else ""
                for c in table.columns
            ),
            _status_names(comparison_row),
        ]
        for i, comparison_row in enumerate(table.rows, 1)
    ]
    yield TerminalTable(
        reveal_hidden(f"{table.name}{subtitle}"),
        [row_header or "row", *columns, "status"],
        [[*map(reveal_hidden, row)] for row in rows],
    )
    yield Text(format_counts(table.counts), "dim")
    for reason in table.reasons:
        yield Text(reveal_hidden(f"cannot be computed: {reason}"), "dim")
    for finding in table.findings:
        yield Text(reveal_hidden(f"! {finding}"), "red")
    for note in table.notes:
        yield Text(reveal_hidden(f"note: {note}"))
    yield Text("")


def _status_names(row: ComparisonRow) -> str:
    """List the statuses of a row without the retrained model, which the footer names."""
    return ", ".join(dict.fromkeys(comparison.status.value for comparison in row.cells.values()))


def format_cell(comparison: FigureComparison) -> str:
    """Format a cell: the printed figure, its mark, the computed and the retrained figure."""
    parts = [
        format_figure(comparison.figure.parts, comparison.figure),
        STATUS_MARKS[comparison.status],
    ]
    if comparison.computed and comparison.status not in (
        FigureStatus.EXACT,
        FigureStatus.PREDICTIONS,
    ):
        parts.append(format_figure(comparison.computed.parts, comparison.figure))
    if comparison.retrained:
        parts += ["→", format_figure(comparison.retrained.parts, comparison.figure)]
    return " ".join(filter(None, parts))


def format_counts(counts: FigureCounts) -> str:
    """Describe counts in a sentence: reached, reachable and all figures."""
    parts = [f"{count} {status}" for status, count in counts.by_status.items()]
    return (
        f"{counts.reached} of {counts.reachable} computable figures reproduced, {counts.total} in "
        f"all: {', '.join(parts)}."
    )


def _render_footer(reproduction: Reproduction) -> RenderableType:
    footer = Text(
        f"{reproduction.paper.key}: {format_counts(reproduction.figure_counts())}", "bold"
    )
    if reproduction.model:
        footer.append(reveal_hidden(f"\n→ re-run with {reproduction.model}"))
    return footer
