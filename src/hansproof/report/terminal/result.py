"""The result of a probe, and the report of an edit, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rich.console import Group, RenderableType
from rich.text import Text

from ...probes.shortcuts.rule_words import list_rules
from ...results import SKIPPED_PREFIX
from ...types import Cell, EditReport, Result, Table
from ..escape import reveal_hidden
from ..format_numbers import format_estimate, format_q
from ..html.highlight import bracket_marks
from .table import JSON_HINT, MAX_ROWS, limited_table

VERDICT_STYLES = {
    "clear": "green",
    "caution": "yellow",
    "exposed": "bold red",
    "undecided": "cyan",
    "skipped": "dim",
    "failed": "magenta",
}
# probes whose findings are items; those of others are words, models or views
ITEM_PROBES = ("integrity", "agreement")
MAX_IDS = 10  # items named for a finding


def result_view(result: Result) -> RenderableType:
    """Render verdict, summary, estimates, and the first rows of each table."""
    summary = reveal_hidden(result.summary.removeprefix(SKIPPED_PREFIX))
    q = f"  ({format_q(result)})" if format_q(result) else ""
    finding = Text.assemble(
        (result.verdict, VERDICT_STYLES[result.verdict]), "  ", summary, (q, "dim")
    )
    parts = [finding, *_detail_views(result, _list_sentences(result))]
    if result.probe in ITEM_PROBES and result.evidence:
        parts.append(_evidence_view(result))
    return Group(*parts)


def edit_report_view(report: EditReport) -> RenderableType:
    """Render the report of an edit."""
    return Group(Text(reveal_hidden(report.summary)), *_detail_views(report))


def _list_sentences(result: Result) -> dict[str, list[str]]:
    """Return the tables that are easier to read as sentences."""
    if result.probe != "shortcuts" or "rules" not in result.tables:
        return {}
    return {"rules": list_rules(result.tables["rules"])}


def _sentences_view(title: str, sentences: list[str]) -> Text:
    text = Text(title, "bold")
    for sentence in sentences:
        text.append(f"\n  {reveal_hidden(sentence)}", "not bold")
    return text


def _detail_views(
    findings: Result | EditReport, sentences: Mapping[str, list[str]] = MappingProxyType({})
) -> list[RenderableType]:
    """Render estimates, the first rows of each table, or its sentences, and notes."""
    parts: list[RenderableType] = []
    if findings.estimates:
        rows = [(e.name, format_estimate(e)) for e in findings.estimates]
        parts.append(limited_table("estimates", ("name", "value"), rows))
    for name, table in ((name, bracket_marks(table)) for name, table in findings.tables.items()):
        if not table.rows:
            continue
        if sentences.get(name):
            parts.append(_sentences_view(name, sentences[name]))
            continue
        parts.append(limited_table(name, table.columns, _flagged_first(table)))
    parts.extend(Text(f"note: {reveal_hidden(note)}", "dim") for note in findings.notes)
    return parts


def _evidence_view(result: Result) -> Text:
    """Name the first items of each finding."""
    text = Text.assemble(("items", "bold"))
    for finding, ids in [*result.evidence.items()][:MAX_ROWS]:
        first_ids = ", ".join(map(reveal_hidden, ids[:MAX_IDS]))
        more = f" … and {len(ids) - MAX_IDS:,} more" if len(ids) > MAX_IDS else ""
        text.append(f"\n  {reveal_hidden(finding)}: {first_ids}{more}")
    if len(result.evidence) > MAX_ROWS:
        text.append(f"\n… {len(result.evidence) - MAX_ROWS} more findings", "dim")
    is_cut = len(result.evidence) > MAX_ROWS or any(
        len(ids) > MAX_IDS for ids in result.evidence.values()
    )
    return text.append(f"\n{JSON_HINT}", "dim") if is_cut else text


def _flagged_first(table: Table) -> list[tuple[Cell, ...]]:
    """Return the rows, flagged ones first in a table that ends with its flags."""
    if table.columns[-1:] != ("flag",):
        return [*table.rows]
    records = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    ordered = sorted(records, key=lambda record: record["flag"] in ("", None))
    return [tuple(record.values()) for record in ordered]
