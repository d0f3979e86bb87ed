"""The result of a probe, and the report of an edit, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...types import Cell, EditReport, Result, Table
from ..escape import reveal_hidden
from ..format_numbers import format_estimate
from ..html.highlight import bracket_marks
from .audit import VERDICT_STYLES
from .table import limited_table


def result_view(result: Result) -> RenderableType:
    """Render verdict, summary, estimates, and the first rows of each table."""
    finding = Text.assemble(
        (result.verdict, VERDICT_STYLES[result.verdict]), "  ", reveal_hidden(result.summary)
    )
    return Group(finding, *_detail_views(result))


def edit_report_view(report: EditReport) -> RenderableType:
    """Render the report of an edit."""
    return Group(Text(reveal_hidden(report.summary)), *_detail_views(report))


def _detail_views(findings: Result | EditReport) -> list[RenderableType]:
    """Render estimates, the first rows of each table, and notes."""
    parts: list[RenderableType] = []
    if findings.estimates:
        rows = [(e.name, format_estimate(e)) for e in findings.estimates]
        parts.append(limited_table("estimates", ("name", "value"), rows))
    for name, table in ((name, bracket_marks(table)) for name, table in findings.tables.items()):
        if not table.rows:
            continue
        parts.append(limited_table(name, table.columns, _flagged_first(table)))
    parts.extend(Text(f"note: {reveal_hidden(note)}", "dim") for note in findings.notes)
    return parts


def _flagged_first(table: Table) -> list[tuple[Cell, ...]]:
    """Return the rows, flagged ones first in a table that ends with its flags."""
    if table.columns[-1:] != ("flag",):
        return [*table.rows]
    records = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    ordered = sorted(records, key=lambda record: record["flag"] in ("", None))
    return [tuple(record.values()) for record in ordered]
