"""Comparison tables and formatted figures, shared by terminal, page, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .printed_figures import TEXT, VALUE, FigureValue, PrintedFigure, PrintedTable
from .reproduction import FigureComparison, FigureCounts, FigureStatus, Reproduction, count_figures

STATUS_ORDER = [*FigureStatus]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """A row of a comparison table: its labels, and its comparisons by column."""

    labels: tuple[str, ...]
    cells: dict[str, FigureComparison]

    def status_text(self) -> str:
        """Return the statuses of the row's figures, each once."""
        comparisons = sorted(
            self.cells.values(), key=lambda comparison: STATUS_ORDER.index(comparison.status)
        )
        return ", ".join(dict.fromkeys(comparison.status_text() for comparison in comparisons))


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """A printed table with the comparisons of its figures."""

    printed: PrintedTable
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]
    counts: FigureCounts
    findings: tuple[str, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]  # why figures cannot be computed, each once

    @property
    def name(self) -> str:
        return "Running text" if self.printed.id == TEXT else self.printed.id.replace("-", " ")


def comparison_tables(reproduction: Reproduction) -> tuple[ComparisonTable, ...]:
    """Build the tables of a reproduction."""
    return tuple(
        _build_table(reproduction, reproduction.paper.tables[table_id], comparisons)
        for table_id, comparisons in reproduction.comparisons_by_table().items()
    )


def _build_table(
    reproduction: Reproduction, table: PrintedTable, comparisons: Sequence[FigureComparison]
) -> ComparisonTable:
    cells: dict[int, dict[str, FigureComparison]] = {}
    for comparison in comparisons:
        _, row, column = comparison.figure.key
        cells.setdefault(row, {})["figure" if table.id == TEXT else column] = comparison
    rows = tuple(
        ComparisonRow(
            tuple(_format_label(table.rows[row][name]) for name in table.labels), row_cells
        )
        for row, row_cells in cells.items()
    )
    reasons = dict.fromkeys(
        comparison.reason for comparison in comparisons if comparison.status == FigureStatus.CANNOT
    )
    return ComparisonTable(
        table, table.labels, table.columns, rows, count_figures(comparisons),
        tuple(finding.text for finding in reproduction.findings if finding.table == table.id),
        reproduction.notes.get(table.id, ()), tuple(reasons),
    )  # fmt: skip


def _format_label(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def format_figure(parts: Mapping[str, FigureValue], figure: PrintedFigure) -> str:
    """Format a figure as the paper would print it: 76.5 ± 2.7."""
    texts = [
        format_number(value, figure.digits.get(part, 0))
        for part, value in parts.items()
        if part in figure.parts
    ]
    return (" ± " if "mean" in figure.parts else " / ").join(texts)


def format_number(value: FigureValue, digits: int) -> str:
    """Format a number with the given digits after the point; words stay as they are."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def difference(comparison: FigureComparison) -> float | None:
    """Subtract the printed value from the computed one; of scores, the means."""
    computed = comparison.computed or comparison.retrained
    part = "mean" if "mean" in comparison.figure.parts else VALUE
    if computed is None or part not in computed.parts or part not in comparison.figure.parts:
        return None
    computed_value, printed_value = computed.parts[part], comparison.figure.parts[part]
    if isinstance(computed_value, str | bool) or isinstance(printed_value, str | bool):
        return None
    return computed_value - printed_value
