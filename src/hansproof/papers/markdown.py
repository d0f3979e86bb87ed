"""Reproductions as Markdown, for pages of the documentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .render import ComparisonTable, comparison_tables, format_figure
from .reproduction import FigureComparison, FigureStatus, Reproduction
from .terminal import STATUS_MARKS, format_counts


def render_markdown(reproduction: Reproduction) -> str:
    """Render all tables, each with its counts, findings and notes."""
    return "\n".join(
        line
        for table in comparison_tables(reproduction)
        for line in (*_table_lines(table), *_note_lines(table))
    )


def render_retrained_markdown(reproduction: Reproduction) -> str:
    """Render only the rows that have figures of a retrained model."""
    lines: list[str] = []
    for table in comparison_tables(reproduction):
        retrained_rows = [
            row
            for row in table.rows
            if any(comparison.retrained for comparison in row.cells.values())
        ]
        if retrained_rows:
            lines += [*_table_lines(replace(table, rows=tuple(retrained_rows))), ""]
    return "\n".join(lines)


def _table_lines(table: ComparisonTable) -> Iterator[str]:
    title = "" if table.name == "Running text" else f": {table.printed.title}"
    yield f"### {table.name.capitalize()}{_escape_markdown(title)}\n"
    yield _format_row([name.replace("_", " ") for name in (*table.labels, *table.columns)])
    yield _format_row(["---"] * len(table.labels) + ["--:"] * len(table.columns))
    for row in table.rows:
        cells = (_format_cell(row.cells[c]) if c in row.cells else "" for c in table.columns)
        yield _format_row([*map(_escape_markdown, row.labels), *cells])


def _note_lines(table: ComparisonTable) -> Iterator[str]:
    """Yield a table's counts, findings, notes, and reasons for missing figures."""
    yield f"\n{format_counts(table.counts)}"
    for finding in table.findings:
        yield f'\n!!! warning ""\n    {_escape_markdown(finding)}'
    for note in table.notes:
        yield f"\n{_escape_markdown(note)} *(Found by reading the paper.)*"
    for reason in table.reasons:
        yield f"\nCannot be computed: {_escape_markdown(reason)}."
    yield ""


def _format_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _format_cell(comparison: FigureComparison) -> str:
    """Format a cell: the printed figure with its mark, the computed and the retrained figure."""
    printed = _escape_markdown(format_figure(comparison.figure.parts, comparison.figure))
    parts = [f"{printed} {STATUS_MARKS[comparison.status]}".rstrip()]
    if comparison.computed and comparison.status not in (
        FigureStatus.EXACT,
        FigureStatus.PREDICTIONS,
    ):
        parts.append(
            f"**{_escape_markdown(format_figure(comparison.computed.parts, comparison.figure))}**"
        )
    if comparison.retrained:
        parts.append(f"*{format_figure(comparison.retrained.parts, comparison.figure)}*")
    return " ".join(parts)


def _escape_markdown(text: str) -> str:
    """Escape characters that Markdown would interpret."""
    return text.replace("|", "\\|").replace("<", "&lt;")
