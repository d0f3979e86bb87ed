"""The order of results in reports: the most important probes first, then as audited."""

from __future__ import annotations

from ..types import Audit, Result

FIRST_PROBES = ("parts", "partial_input", "cues")


def sort_results(audit: Audit) -> list[Result]:
    return sorted(audit.results, key=lambda result: probe_rank(result.probe))


def probe_rank(probe: str) -> int:
    """Return the rank of a probe; all but the first ones share the last rank."""
    return FIRST_PROBES.index(probe) if probe in FIRST_PROBES else len(FIRST_PROBES)
