"""Integrity: each finding opens its items."""

from __future__ import annotations

from ...probes.integrity import evidence_key
from ...types import Result
from ..schema import ResultSchema, text
from . import EvidenceLink, Section

SCHEMA = ResultSchema({"findings": {"finding": text, "splits": text}})


def section(result: Result) -> Section:
    return Section(
        links={
            "findings": EvidenceLink(
                "finding", lambda row: evidence_key(row["finding"], row["splits"])
            )
        }
    )
