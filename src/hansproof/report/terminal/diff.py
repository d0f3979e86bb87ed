"""The differences between two audits for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...diff import AuditDiff
from ..escape import reveal_hidden
from ..format_numbers import format_estimate
from .table import limited_table


def diff_view(diff: AuditDiff) -> RenderableType:
    """Render the verdicts, numbers and flags that changed."""
    parts: list[RenderableType] = [
        Text(f"{reveal_hidden(diff.old)} → {reveal_hidden(diff.new)}", "bold")
    ]
    if diff.same_items:
        parts.append(Text("the items are the same in both"))
    parts.append(
        limited_table("items", ("split", "old", "new"), [(s, *n) for s, n in diff.sizes.items()])
    )
    verdicts = [(v.probe, v.old, v.new) for v in diff.verdicts]
    parts.append(limited_table("verdicts", ("probe", "old", "new"), verdicts))
    changes = [
        (f"{c.probe}: {c.name}", format_estimate(c.old), format_estimate(c.new))
        for c in diff.estimates
    ]
    if changes:
        parts.append(limited_table("numbers that changed", ("estimate", "old", "new"), changes))
    for label, flags in (("gone", diff.removed), ("new", diff.added)):
        if flags:
            parts.append(limited_table(f"flags {label}", ("flag",), [(flag,) for flag in flags]))
    return Group(*parts)
