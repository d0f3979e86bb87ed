"""Balance: each reason opens the items of the unbalanced groups, shown side by side."""

from __future__ import annotations

from ...probes.balance.groups import (
    ANSWERS_UNEVEN,
    CHOICES_DIFFER,
    CONTRADICTORY,
    NO_PARTNER,
)
from ...types import Item, Result
from ..schema import ResultSchema, text
from . import EvidenceLink, ExampleSource, Section

SCHEMA = ResultSchema({})  # a benchmark without mirrored groups has no tables at all
REASONS_SCHEMA = ResultSchema({"reasons": {"why": text}})

CUES = {
    "expected": "hits by chance: the sum of 1/m over the items it applies to",
    "groups": "the first groups in which it is off balance",
}
CUTS = {
    "parted": "groups with items on both sides; between training and testing there must be none"
}

CAPTIONS = {
    NO_PARTNER: "This item is the only one of its group: it has no mirrored partner.",
    CHOICES_DIFFER: "These items are of one group, but do not have the same choices.",
    ANSWERS_UNEVEN: "These items are of one group, in which some choice is right more often than "
    "another.",
    CONTRADICTORY: "These items have the same fields and choices, but different right answers.",
}


def section(result: Result) -> Section:
    links = {"reasons": EvidenceLink("why", lambda row: str(row["why"]))}
    return Section(
        links=links if REASONS_SCHEMA.matches(result) else {},
        meanings={"cues": CUES, "cuts": CUTS},
        examples=tuple(
            ExampleSource(reason, ids, CAPTIONS[reason], _group_of)
            for reason, ids in result.evidence.items()
            if reason in CAPTIONS
        ),
    )


def _group_of(item: Item) -> object:
    return item.group
