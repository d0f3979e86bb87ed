"""The order in which results are shown: cues, which most readers come for, then as audited."""

from __future__ import annotations

from ..types import Audit, Result


def ordered(audit: Audit) -> list[Result]:
    return sorted(audit.results, key=lambda result: result.probe != "cues")
