"""The differences between two audits for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from ...diff import AuditDiff, VerdictChange
from ...types import FINDINGS, Audit
from ..escape import reveal_hidden
from ..format_numbers import format_estimate
from ..headline import build_headline
from .table import limited_table

# what a change of a verdict means: old, new -> words; a shortcut that is not seen any more is gone
# only if it would have been seen
CHANGE_MEANINGS = {
    ("exposed", "caution"): "weaker or less certain",
    ("caution", "exposed"): "stronger or more certain",
    ("found", "clear"): "no longer found",
    ("found", "undecided"): "not seen, but too few items to tell",
    ("found", "skipped"): "nothing to test any more",
    ("clear", "found"): "found",
    ("clear", "undecided"): "too few items to tell now",
    ("clear", "skipped"): "nothing to test any more",
    ("undecided", "found"): "found",
    ("undecided", "clear"): "can be told now: nothing found",
    ("undecided", "skipped"): "nothing to test any more",
    ("skipped", "found"): "found",
    ("skipped", "clear"): "tested now, nothing found",
    ("skipped", "undecided"): "tested now, but too few items to tell",
}


def diff_view(old: Audit, new: Audit, diff: AuditDiff) -> RenderableType:
    """Render both headlines, and the verdicts, numbers and flags that changed."""
    parts: list[RenderableType] = [
        Text.assemble((f"{label}: ", "bold"), reveal_hidden(build_headline(audit)))
        for label, audit in (("old", old), ("new", new))
    ]
    if diff.same_items:
        parts.append(Text("The items are the same in both."))
    parts.append(
        limited_table("items", ("split", "old", "new"), [(s, *n) for s, n in diff.sizes.items()])
    )
    verdicts = [(v.probe, v.old, v.new, describe_change(v)) for v in diff.verdicts]
    parts.append(limited_table("verdicts", ("probe", "old", "new", "meaning"), verdicts))
    changes = [
        (f"{c.probe}: {c.name}", format_estimate(c.old), format_estimate(c.new))
        for c in diff.estimates
    ]
    if changes:
        parts.append(limited_table("numbers that changed", ("estimate", "old", "new"), changes))
    for title, flags in _flags_by_title(diff).items():
        if flags:
            parts.append(limited_table(title, ("flag",), [(flag,) for flag in flags]))
    return Group(*parts)


def describe_change(change: VerdictChange) -> str:
    """Say what a change of a verdict means; empty if it did not change."""
    if change.old is None or change.new is None:
        return "run in one audit only"
    if change.old == change.new:
        return ""
    old, new = ("found" if verdict in FINDINGS else verdict for verdict in (change.old, change.new))
    key = (old, new) if old != new else (change.old, change.new)
    return CHANGE_MEANINGS[key]


def _flags_by_title(diff: AuditDiff) -> dict[str, list[str]]:
    """Group flags: gone, not seen by a probe that had too few items to see them, and new."""
    undecided = {change.probe for change in diff.verdicts if change.new == "undecided"}
    is_unseen = {flag: flag.partition("/")[0] in undecided for flag in diff.removed}
    return {
        "flags gone": [flag for flag, unseen in is_unseen.items() if not unseen],
        "flags not seen, but too few items to tell": [
            flag for flag, unseen in is_unseen.items() if unseen
        ],
        "flags new": [*diff.added],
    }
