"""Surface tells: accuracy of each rule against chance."""

from __future__ import annotations

from typing import Any

from ...types import Result
from ..charts.tells import tells
from ..needs import Needs, number, share, size, text
from . import INTERVAL, Opens, Section

NEEDS = Needs(
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
        charts=tells(result.tables["tells"]),
        opens={"tells": Opens("tell", _key)},
        estimates=False,
        meanings={"tells": MEANINGS},
    )


def _key(row: dict[str, Any]) -> str:
    """Evidence is about whole splits; a slice of one has none."""
    return "" if row["slice"] else f"{row['split']}: {row['tell']}"
