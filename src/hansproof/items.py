"""Flags by item, for a spreadsheet: which probes point at which items."""

from __future__ import annotations

from collections import defaultdict

from .formats._spreadsheet import to_csv
from .types import Audit, Benchmark

__all__ = ["CHANGE", "ITEM", "changed_rows", "flags", "item_rows", "to_csv"]

Rows = list[dict[str, str]]
ITEM = ("id", "split", "group", "answer", "flags", "why")
CHANGE = ("id", "gone", "new")


def flags(audit: Audit) -> dict[str, list[str]]:
    """For every item that is evidence of something: of what."""
    found: dict[str, list[str]] = defaultdict(list)
    for result in audit.results:
        for flag, ids in result.evidence.items():
            for id in ids:
                found[id].append(f"{result.probe}/{flag}")
    return found


def item_rows(benchmark: Benchmark, audit: Audit) -> Rows:
    """One row per item of the benchmark."""
    found = flags(audit)
    return [
        {
            "id": item.id,
            "split": split,
            "group": item.group or "",
            "answer": "" if item.answer is None else str(item.answer),
            "flags": str(len(found.get(item.id, ()))),
            "why": "; ".join(found.get(item.id, ())),
        }
        for split, items in benchmark.splits.items()
        for item in items
    ]


def changed_rows(old: Audit, new: Audit) -> Rows:
    """One row per item whose flags are not what they were."""
    before, after = flags(old), flags(new)
    rows = []
    for id in dict.fromkeys([*before, *after]):
        gone = [flag for flag in before.get(id, []) if flag not in after.get(id, [])]
        come = [flag for flag in after.get(id, []) if flag not in before.get(id, [])]
        if gone or come:
            rows.append({"id": id, "gone": "; ".join(gone), "new": "; ".join(come)})
    return rows
