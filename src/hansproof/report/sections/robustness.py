"""Robustness: accuracy after the attack, and the attacked texts with changed words marked."""

from __future__ import annotations

from ...probes.robustness.attack_result import BEFORE
from ...types import Result
from ..charts.robustness import attack_charts
from ..escape import reveal_hidden
from ..schema import ResultSchema, count, number, or_none, share, size, text
from . import EvidenceLink, Section

SCHEMA = ResultSchema(
    {
        "attacks": {
            "split": text, "model": text, "before": share, "after": share, "difference": number,
            "difference_low": or_none(number), "difference_high": or_none(number),
            "drop": or_none(number), "n": size, "attacked": count, "flipped": count,
            "queries": or_none(number), "words": or_none(number), "similarity": or_none(number),
        }
    }
)  # fmt: skip
CHANGES_SCHEMA = ResultSchema({"changes": {"item": text}})

MODEL = "the model under attack"
PART = "the text that was changed: a field, or a choice, counted from 1"
SIMILARITY = "1 − angle / π between the sentence vectors of before and after; 1 is the same"
ATTACKS = {
    "split": "the items that were attacked",
    "model": MODEL,
    "before": "share of items it gets right as they are",
    "after": "share of items it gets right after the attack; what was wrong before counts as wrong",
    "difference": "after − before",
    "difference interval": "95% interval of the difference",
    "drop": "share of the accuracy before that is lost: |difference| / before",
    "n": "items",
    "attacked": "items that were answered correctly before, or tied: only these are attacked",
    "flipped": "those of them whose answer became wrong",
    "queries": "queries to the model per attacked item",
    "words": "words changed in an item that flipped, on average",
    "similarity": f"{SIMILARITY}; of whole items that flipped, on average",
}
TEXTS = {
    "item": "the id; click it to read the item as it was",
    "model": MODEL,
    "part": PART,
    "before": "the text as it was, with the words that were changed marked",
    "after": "the text that made the model leave the right answer, with the new words marked",
    "picked": "the choice it took then",
    "similarity": f"{SIMILARITY}; of the whole item",
}
SWAPS = {
    "from": "the word as it was",
    "to": "the word that replaced it",
    "part": PART,
    "times": "items that flipped with it",
}
SKIPPED = {"model": MODEL, "reason": "why an item was not attacked", "items": "how many"}


def section(result: Result) -> Section:
    item_link = EvidenceLink("item", lambda row: "", lambda row: (row["item"],))
    return Section(
        charts=attack_charts(result.tables["attacks"], _chance_by_split(result)),
        links={"changes": item_link} if CHANGES_SCHEMA.matches(result) else {},
        show_estimates=False,
        meanings={"attacks": ATTACKS, "changes": TEXTS, "swaps": SWAPS, "skipped": SKIPPED},
    )


def _chance_by_split(result: Result) -> dict[str, float]:
    """Map splits to the chance level of the accuracy before the attack."""
    return {
        reveal_hidden(e.split): e.chance
        for e in result.estimates
        if e.metric == BEFORE and e.chance and e.chance < 1
    }
