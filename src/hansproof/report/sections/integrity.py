"""Integrity: every finding opens the items it is about."""

from __future__ import annotations

from ...types import Result
from ..needs import Needs, text
from . import Opens, Section

NEEDS = Needs({"findings": {"finding": text, "splits": text}})


def section(result: Result) -> Section:
    return Section(
        opens={"findings": Opens("finding", lambda row: f"{row['finding']}: {row['splits']}")}
    )
