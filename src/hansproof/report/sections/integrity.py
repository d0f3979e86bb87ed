"""Integrity: every finding opens the items it is about."""

from __future__ import annotations

from ...types import Result
from . import Opens, Section


def section(result: Result) -> Section:
    return Section(
        opens={"findings": Opens("finding", lambda row: f"{row['finding']}: {row['splits']}")}
    )
