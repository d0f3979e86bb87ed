"""Balance: each reason opens the items of the unbalanced groups."""

from __future__ import annotations

from ...types import Result
from ..schema import ResultSchema, text
from . import EvidenceLink, Section

SCHEMA = ResultSchema({})  # a benchmark without mirrored groups has no tables at all
REASONS_SCHEMA = ResultSchema({"reasons": {"why": text}})

CUES = {
    "expected": "hits by chance: the sum of 1/m over the items it applies to",
    "groups": "the first groups in which it is off balance",
}
CUTS = {
    "parted": "groups with items on both sides; between training and testing there must be none"
}


def section(result: Result) -> Section:
    links = {"reasons": EvidenceLink("why", lambda row: str(row["why"]))}
    return Section(
        links=links if REASONS_SCHEMA.matches(result) else {},
        meanings={"cues": CUES, "cuts": CUTS},
    )
