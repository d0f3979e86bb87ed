"""Integrity: each finding opens its items, and items that repeat are shown side by side."""

from __future__ import annotations

from typing import Any

from ...probes.integrity import (
    CONTRADICTIONS,
    DUPLICATES,
    FORMS,
    PROBLEM,
    evidence_key,
    finding_name,
    item_key,
)
from ...types import Item, Result
from ..html.tables import to_records
from ..schema import ResultSchema, text
from . import EvidenceLink, ExampleSource, Section

SCHEMA = ResultSchema({"findings": {"finding": text, "splits": text}})

CAPTIONS = {
    DUPLICATES: "These items have the same fields and choices{}.",
    CONTRADICTIONS: "These items have the same fields and choices{}, but different right answers.",
}
FORM_NOTES = {
    "exact": "",
    "normalised": ", apart from case, punctuation and spaces",
}
REPEATS = {
    finding_name(kind, form): (caption.format(note), form)
    for kind, caption in CAPTIONS.items()
    for form, note in FORM_NOTES.items()
}


def section(result: Result) -> Section:
    rows = to_records(result.tables["findings"])
    return Section(
        links={"findings": EvidenceLink("finding", _evidence_key)},
        examples=_list_examples(rows, result),
    )


def _evidence_key(row: dict[str, Any]) -> str:
    return evidence_key(row["finding"], row["splits"])


def _list_examples(rows: list[dict[str, Any]], result: Result) -> tuple[ExampleSource, ...]:
    """List the items of every finding, problems first; duplicates are shown with their twins."""
    rows.sort(key=lambda row: row.get("severity") != PROBLEM)
    return tuple(
        _build_source(row, result.evidence[key])
        for row in rows
        if (key := _evidence_key(row)) in result.evidence
    )


def _build_source(row: dict[str, Any], ids: tuple[str, ...]) -> ExampleSource:
    key = _evidence_key(row)
    if row["finding"] not in REPEATS:
        return ExampleSource(key, ids, f"One example of {row['finding']}, in {row['splits']}.")
    caption, form = REPEATS[row["finding"]]

    def find_twins(item: Item) -> object:
        return item_key(item, FORMS[form])

    return ExampleSource(key, ids, caption, find_twins)
