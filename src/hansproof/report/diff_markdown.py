"""The differences between two audits as Markdown, for pull requests and changelogs."""

from __future__ import annotations

from ..diff import AuditDiff
from ..types import Audit
from .card import escape_markdown
from .diff_tables import DiffTable, diff_headlines, diff_tables


def render_diff_markdown(old: Audit, new: Audit, diff: AuditDiff) -> str:
    """Render both headlines, and the verdicts, numbers and flags that changed."""
    headlines = [
        f"**{label}**: {escape_markdown(text)}"
        for label, text in diff_headlines(old, new, diff).items()
    ]
    return "\n\n".join([*headlines, *map(_render_table, diff_tables(diff))])


def _render_table(table: DiffTable) -> str:
    rows = [table.columns, ("---",) * len(table.columns), *table.rows]
    # only the first column contains names of benchmarks and cues, which are untrusted
    cells = (
        row if row[0] == "---" else (escape_markdown(row[0]), *(cell or " " for cell in row[1:]))
        for row in rows
    )
    return "\n".join([f"#### {table.title}\n", *(f"| {' | '.join(row)} |" for row in cells)])
