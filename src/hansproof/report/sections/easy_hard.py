"""Easy and Hard: each gap as two joined dots, and the items in Easy."""

from __future__ import annotations

from typing import Any

from ...probes.easy_hard import evidence_key
from ...probes.easy_hard.sources import PUBLISHED_IDS
from ...types import Result
from ..charts.easy_hard import easy_hard_charts
from ..html.tables import to_records
from ..schema import ResultSchema, number, or_none, share, size, text
from . import (
    CHANCE,
    INTERVAL,
    RUN_COUNT,
    EvidenceLink,
    ExampleSource,
    Section,
    describe_one_of,
    key_split,
    list_examples,
)

SCHEMA = ResultSchema(
    {
        "gaps": {
            "split": text, "system": text, "easy_from": text, "relation": text, "runs": size,
            "easy": share, "hard": share, "gap": number, "low": or_none(number),
            "high": or_none(number), "q": or_none(share), "n_easy": size, "n_hard": size,
            "flag": text,
        },
        "sets": {"split": text, "easy_from": text, "chance": share},
    }
)  # fmt: skip

GAPS = {
    "easy_from": "what chose the Easy items: those it answered correctly in all its runs",
    "relation": "how that is related to the system; at chance: its choice of items means nothing",
    "runs": RUN_COUNT,
    "easy": "accuracy on Easy, mean over runs",
    "easy_sd": "standard deviation of that over runs",
    "hard": "accuracy on Hard, the items that are not Easy",
    "hard_sd": "standard deviation of that over runs",
    "gap": "easy − hard",
    "interval": INTERVAL,
    "p": "how often chance alone would make so large a gap",
    "q": "p after Holm's correction for the number of gaps; none where a gap is not tested",
    "method": "exact, or by random draws",
    "gap_same_place": "the gap between Easy and Hard items that have as many choices and the right "
    "one at the same place",
    "q_same_place": "q of that gap; where it is large, the gap goes with the places of the right "
    "choices",
    "n_easy": "items in Easy",
    "n_hard": "items in Hard",
    "flag": "gap: significantly better on Easy than on Hard, also with the right choice at the "
    "same place",
}
SETS = {
    "runs": "number of blind runs, or of rounds of cross-validation",
    "accuracy": "share of all items that are answered without the question",
    "interval": INTERVAL,
    "chance": CHANCE,
    "n_easy": "items in Easy",
    "n_hard": "items in Hard",
    "flag": "at chance: no better than guessing, so its choice of items means nothing",
}


def section(result: Result) -> Section:
    return Section(
        charts=easy_hard_charts(result.tables["gaps"], result.tables["sets"]),
        links={"sets": EvidenceLink("easy_from", _evidence_key)},
        show_estimates=False,
        meanings={"gaps": GAPS, "sets": SETS},
        examples=_list_examples(result),
    )


def _evidence_key(row: dict[str, Any]) -> str:
    return evidence_key(row["split"], row["easy_from"])


def _list_examples(result: Result) -> tuple[ExampleSource, ...]:
    """List the Easy items, those of the split of the summary first."""
    rows = to_records(result.tables["sets"])
    rows.sort(key=lambda row: row["split"] != key_split(result))
    return list_examples(result, rows, _evidence_key, _describe_easy)


def _describe_easy(row: dict[str, Any], ids: tuple[str, ...]) -> str:
    one_of = describe_one_of(len(ids), row["split"])
    if row["easy_from"] == PUBLISHED_IDS:
        return f"{one_of} called Easy by a published list."
    return f"{one_of} answered correctly by {row['easy_from']} in all its runs (Easy)."
