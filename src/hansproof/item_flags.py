"""Flags by item for a spreadsheet: which probes point at which items."""

from __future__ import annotations

from collections import defaultdict

from .records.spreadsheet import to_csv
from .types import Audit, Benchmark

__all__ = ["CHANGE_COLUMNS", "ITEM_COLUMNS", "changed_rows", "flags_by_item", "item_rows", "to_csv"]

FlagRows = list[dict[str, str]]
ITEM_COLUMNS = ("id", "split", "group", "answer", "flags", "why")
CHANGE_COLUMNS = ("id", "gone", "new")


def flags_by_item(audit: Audit) -> dict[str, list[str]]:
    """Map the ids of items to the evidence they belong to, as `probe/evidence`."""
    flags_by_id: dict[str, list[str]] = defaultdict(list)
    for result in audit.results:
        for flag, ids in result.evidence.items():
            for id in ids:
                flags_by_id[id].append(f"{result.probe}/{flag}")
    return flags_by_id


def item_rows(benchmark: Benchmark, audit: Audit) -> FlagRows:
    """Build one row per item of the benchmark."""
    item_flags = flags_by_item(audit)
    return [
        {
            "id": item.id,
            "split": split,
            "group": item.group or "",
            "answer": "" if item.answer is None else str(item.answer),
            "flags": str(len(item_flags.get(item.id, ()))),
            "why": "; ".join(item_flags.get(item.id, ())),
        }
        for split, items in benchmark.splits.items()
        for item in items
    ]


def changed_rows(old: Audit, new: Audit) -> FlagRows:
    """Build one row per item whose flags changed."""
    before, after = flags_by_item(old), flags_by_item(new)
    rows = []
    for id in dict.fromkeys([*before, *after]):
        removed = [flag for flag in before.get(id, []) if flag not in after.get(id, [])]
        added = [flag for flag in after.get(id, []) if flag not in before.get(id, [])]
        if removed or added:
            rows.append({"id": id, "gone": "; ".join(removed), "new": "; ".join(added)})
    return rows
