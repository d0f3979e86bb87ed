"""The differences between two audits as tables, with old and new side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..diff import AuditDiff, EstimateChange, VerdictChange
from ..flag_words import describe_flag
from ..types import FINDINGS, Audit
from .format_numbers import format_brief_chance, format_compact
from .headline import build_headline

# what a change of a verdict means: old, new -> words; a shortcut that is not seen any more is gone
# only if it would have been seen
CHANGE_MEANINGS = {
    ("exposed", "caution"): "weaker or less certain",
    ("caution", "exposed"): "stronger or more certain",
    ("found", "clear"): "no longer found",
    ("found", "undecided"): "not found, but there are too few items to tell",
    ("found", "skipped"): "nothing to test any more",
    ("clear", "found"): "found now",
    ("clear", "undecided"): "too few items to tell now",
    ("clear", "skipped"): "nothing to test any more",
    ("undecided", "found"): "found now",
    ("undecided", "clear"): "enough items to tell now: nothing found",
    ("undecided", "skipped"): "nothing to test any more",
    ("skipped", "found"): "tested now: found",
    ("skipped", "clear"): "tested now: nothing found",
    ("skipped", "undecided"): "tested now, but there are too few items to tell",
}
# where the items are the same, other settings made the difference
SAME_ITEMS_MEANINGS = {
    ("found", "undecided"): "not found, but could not be decided now",
    ("clear", "undecided"): "could not be decided now",
    ("undecided", "clear"): "could be decided now: nothing found",
    ("skipped", "undecided"): "tested now, but could not be decided",
}


@dataclass(frozen=True, slots=True)
class DiffTable:
    """A table of texts with a title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def diff_headlines(old: Audit, new: Audit, diff: AuditDiff) -> dict[str, str]:
    """Return the headlines of both audits by label, and whether the items are the same."""
    headlines = {"old": build_headline(old), "new": build_headline(new)}
    if diff.same_items:
        return {**headlines, "items": "the same in both"}
    if old.benchmark != new.benchmark:
        names = f"{old.benchmark} and {new.benchmark}"
        return {**headlines, "note": f"these are audits of different benchmarks, {names}"}
    return headlines


def diff_tables(diff: AuditDiff) -> Iterator[DiffTable]:
    """Yield the tables: items, verdicts, numbers and flags that changed."""
    if not diff.same_items:
        sizes = ((split, _count(old), _count(new)) for split, (old, new) in diff.sizes.items())
        yield DiffTable("items", ("split", "old", "new"), tuple(sizes))
    verdicts = (
        (
            _probe_label(change.probe), change.old or "–", change.new or "–",
            describe_change(change, diff.same_items),
        )
        for change in diff.verdicts
    )  # fmt: skip
    yield DiffTable("verdicts", ("probe", "old", "new", "meaning"), tuple(verdicts))
    if diff.estimates:
        columns = ("number", "old", "new", "chance")
        rows = tuple(_number_row(change, diff) for change in diff.estimates)
        yield DiffTable("numbers that changed", columns, rows)
    for title, flags in _flags_by_title(diff).items():
        if flags:
            yield DiffTable(title, ("flag",), tuple((describe_flag(flag),) for flag in flags))


def describe_change(change: VerdictChange, same_items: bool = False) -> str:
    """Say what a change of a verdict means; empty if it did not change."""
    if change.old is None or change.new is None:
        return "run in one audit only"
    if change.old == change.new:
        return ""
    old, new = ("found" if verdict in FINDINGS else verdict for verdict in (change.old, change.new))
    key = (old, new) if old != new else (change.old, change.new)
    meanings = CHANGE_MEANINGS | SAME_ITEMS_MEANINGS if same_items else CHANGE_MEANINGS
    return meanings[key]


def _probe_label(probe: str) -> str:
    return probe.replace("_", " ")


def _number_row(change: EstimateChange, diff: AuditDiff) -> tuple[str, ...]:
    name = change.name
    if len(diff.sizes) == 1:
        name = name.removeprefix(f"{change.new.split}: ")
    old, new = format_compact(change.old), format_compact(change.new)
    chances = dict.fromkeys(
        format_brief_chance(estimate) for estimate in (change.old, change.new) if estimate.chance
    )
    return f"{_probe_label(change.probe)}: {name}", old, new, " → ".join(chances)


def _count(size: int | None) -> str:
    return "–" if size is None else f"{size:,}"


def _flags_by_title(diff: AuditDiff) -> dict[str, list[str]]:
    """Group flags: gone, not found by a probe that had too few items to find them, and new."""
    undecided = {change.probe for change in diff.verdicts if change.new == "undecided"}
    is_unseen = {flag: flag.partition("/")[0] in undecided for flag in diff.removed}
    reason = "could not be decided" if diff.same_items else "there are too few items to tell"
    return {
        "flags gone": [flag for flag, unseen in is_unseen.items() if not unseen],
        f"flags not found, but {reason}": [flag for flag, unseen in is_unseen.items() if unseen],
        "flags new": [*diff.added],
    }
