"""Comparison: the ranking, the differences, and the items on which two systems differ."""

from __future__ import annotations

from typing import Any

from ...probes.compare import evidence_key
from ...types import Result
from ..charts.compare import difference_charts, ranking_charts
from ..html.tables import to_records
from ..schema import ResultSchema, number, share, size, text
from . import (
    CHANCE,
    INTERVAL,
    RUN_COUNT,
    SHARE_RIGHT,
    EvidenceLink,
    Section,
    describe_one_of,
    list_examples,
)

SCHEMA = ResultSchema(
    {
        "ranking": {
            "split": text, "rank": size, "system": text, "runs": size, "accuracy": share,
            "low": share, "high": share, "chance": share, "n": size,
        },
        "pairs": {
            "split": text, "slice": text, "a": text, "b": text, "accuracy_a": share,
            "accuracy_b": share, "difference": number, "low": number, "high": number, "p": share,
            "q": share, "n": size, "flag": text,
        },
    }
)  # fmt: skip

RANKING = {
    "rank": "place by accuracy; equally good systems share a place",
    "runs": RUN_COUNT,
    "accuracy": SHARE_RIGHT,
    "interval": INTERVAL,
    "chance": CHANCE,
    "n": "items",
}
PAIRS = {
    "slice": "the part of the split that was tested; empty for all of it",
    "accuracy_a": "share of items that a gets right",
    "accuracy_b": "share of items that b gets right",
    "difference": "accuracy a − accuracy b",
    "interval": INTERVAL,
    "p": "how often chance alone would make so large a difference",
    "q": "p after Holm's correction for the number of comparisons",
    "method": "exact, or by random draws",
    "only_a": "items that only a gets right, where both have one run",
    "only_b": "items that only b gets right, where both have one run",
    "mcnemar_p": "McNemar's exact test on these two numbers",
    "n": "items",
    "flag": "differs: the difference is significant",
}


def section(result: Result) -> Section:
    return Section(
        charts=ranking_charts(result.tables["ranking"]) + difference_charts(result.tables["pairs"]),
        links={"pairs": EvidenceLink("a", _evidence_key)},
        show_estimates=False,
        meanings={"ranking": RANKING, "pairs": PAIRS},
        # the pair of the summary comes first
        examples=list_examples(
            result,
            (row for row in to_records(result.tables["pairs"]) if not row["slice"]),
            _evidence_key,
            _describe_difference,
        ),
    )


def _describe_difference(row: dict[str, Any], ids: tuple[str, ...]) -> str:
    """Describe how two systems differ on an item; only with one run each is one simply right."""
    one_of = describe_one_of(len(ids), row["split"])
    if row.get("only_a") is None:
        return f"{one_of} that {row['a']} and {row['b']} do not answer correctly equally often."
    return f"{one_of} that only one of the two systems answers correctly ({row['a']}, {row['b']})."


def _evidence_key(row: dict[str, Any]) -> str:
    """Return the evidence key of a row; a slice of a split has no evidence."""
    return "" if row["slice"] else evidence_key(row["split"], row["a"], row["b"])
