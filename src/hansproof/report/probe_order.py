"""The order in which results are shown: what most readers come for, then as audited."""

from __future__ import annotations

from ..types import Audit, Result

FIRST_PROBES = ("partial_input", "cues")


def sort_results(audit: Audit) -> list[Result]:
    return sorted(audit.results, key=lambda result: probe_rank(result.probe))


def probe_rank(probe: str) -> int:
    """How early a probe comes; all others come together."""
    return FIRST_PROBES.index(probe) if probe in FIRST_PROBES else len(FIRST_PROBES)
