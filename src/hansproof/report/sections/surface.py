"""Surface tells: accuracy of each rule against chance."""

from __future__ import annotations

from typing import Any

from ...probes.surface import evidence_key
from ...types import Result
from ..charts.surface import surface_charts
from ..schema import ResultSchema, number, share, size, text
from . import INTERVAL, EvidenceLink, Section

SCHEMA = ResultSchema(
    {
        "tells": {
            "split": text, "slice": text, "tell": text, "accuracy": share, "low": number,
            "high": number, "chance": share, "n": size, "p": share, "q": share, "flag": text,
        }
    }
)  # fmt: skip

MEANINGS = {
    "slice": "the part of the split that was looked at; empty for all of it",
    "tell": "the rule by which a choice is picked, without reading a word",
    "accuracy": "share of items it gets right; ties count by expectation",
    "interval": INTERVAL,
    "chance": "accuracy of blind guessing on the same items",
    "applies": "share of items in which the rule singles out some choices",
    "tie_rate": "share of items in which several choices tie",
    "p": "how often chance alone would do as much",
    "q": "p after correction for the number of rules tried",
}


def section(result: Result) -> Section:
    return Section(
        charts=surface_charts(result.tables["tells"]),
        links={"tells": EvidenceLink("tell", _evidence_key)},
        show_estimates=False,
        meanings={"tells": MEANINGS},
    )


def _evidence_key(row: dict[str, Any]) -> str:
    """Return the evidence key of a row; a slice of a split has no evidence."""
    return "" if row["slice"] else evidence_key(row["split"], row["tell"])
