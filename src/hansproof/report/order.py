"""The order in which results are shown: what most readers come for, then as audited."""

from __future__ import annotations

from ..types import Audit, Result

FIRST = ("partial_input", "cues")


def ordered(audit: Audit) -> list[Result]:
    return sorted(audit.results, key=lambda result: place(result.probe))


def place(probe: str) -> int:
    """How early a probe comes; all others come together."""
    return FIRST.index(probe) if probe in FIRST else len(FIRST)
