"""Flags by item for a spreadsheet: which probes point at which items."""

from __future__ import annotations

import codecs
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .flag_words import describe_finding, describe_flag
from .records import spreadsheet
from .types import Audit, Benchmark, Item

__all__ = ["CHANGE_COLUMNS", "ITEM_COLUMNS", "changed_rows", "flags_by_item", "item_rows", "to_csv"]

FlagRows = list[dict[str, str]]
ITEM_COLUMNS = (
    "flags", "why", "question", "choices", "right choice", "position of the right choice",
    "file", "line", "id", "split", "group",
)  # fmt: skip
CHANGE_COLUMNS = ("id", "gone", "new")


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """Encode rows as CSV with a byte order mark, without which Excel misreads other letters."""
    return codecs.BOM_UTF8 + spreadsheet.to_csv(columns, rows)


def flags_by_item(audit: Audit) -> dict[str, list[str]]:
    """Map the ids of items to the evidence they belong to, as `probe/evidence`."""
    flags_by_id: dict[str, list[str]] = defaultdict(list)
    for result in audit.results:
        for flag, ids in result.evidence.items():
            for id in ids:
                flags_by_id[id].append(f"{result.probe}/{flag}")
    return flags_by_id


def item_rows(benchmark: Benchmark, audit: Audit) -> FlagRows:
    """Build one row per item of the benchmark: those with most flags first, then as in the file."""
    reasons = _reasons_by_item(audit)
    rows = [
        _item_row(item, split, reasons.get(item.id, []))
        for split, items in benchmark.splits.items()
        for item in items
    ]
    return sorted(rows, key=lambda row: -int(row["flags"]))


def _reasons_by_item(audit: Audit) -> dict[str, list[str]]:
    """Map the ids of items to what findings say about them, in words."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for result in audit.results:
        for finding, ids in result.evidence.items():
            text = describe_finding(result, finding)
            for id in ids:
                reasons[id].append(text)
    return reasons


def _item_row(item: Item, split: str, reasons: list[str]) -> dict[str, str]:
    """Build the row of an item; positions count from 1, as people do."""
    return {
        "flags": str(len(reasons)),
        "why": "; ".join(dict.fromkeys(reasons)),
        "question": _question_text(item),
        "choices": "\n".join(f"{i}. {choice}" for i, choice in enumerate(item.choices, 1)),
        "right choice": item.choices[item.answer] if item.answer is not None else "",
        "position of the right choice": "" if item.answer is None else str(item.answer + 1),
        "file": item.file,
        "line": "" if item.line is None else str(item.line),
        "id": item.id,
        "split": split,
        "group": item.group or "",
    }


def _question_text(item: Item) -> str:
    """Return the texts of the question; names of fields tell several apart."""
    if len(item.fields) == 1:
        return next(iter(item.fields.values()))
    return "\n".join(f"{name}: {text}" for name, text in item.fields.items() if text)


def changed_rows(old: Audit, new: Audit) -> FlagRows:
    """Build one row per item whose flags changed."""
    before, after = flags_by_item(old), flags_by_item(new)
    rows = []
    for id in dict.fromkeys([*before, *after]):
        removed = [flag for flag in before.get(id, []) if flag not in after.get(id, [])]
        added = [flag for flag in after.get(id, []) if flag not in before.get(id, [])]
        if removed or added:
            rows.append({"id": id, "gone": _join(removed), "new": _join(added)})
    return rows


def _join(flags: list[str]) -> str:
    return "; ".join(map(describe_flag, flags))
