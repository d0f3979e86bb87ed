"""The differences between two audits for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...diff import AuditDiff
from ...types import Audit
from ..diff_tables import diff_headlines, diff_tables
from ..escape import reveal_hidden
from .table import limited_table


def diff_view(old: Audit, new: Audit, diff: AuditDiff) -> RenderableType:
    """Render both headlines, and the verdicts, numbers and flags that changed."""
    headlines = [
        Text.assemble((f"{label}: ", "bold"), reveal_hidden(text))
        for label, text in diff_headlines(old, new, diff).items()
    ]
    tables = [
        limited_table(table.title, table.columns, table.rows, fold_constants=False, split=False)
        for table in diff_tables(diff)
    ]
    return Group(*headlines, *tables)
