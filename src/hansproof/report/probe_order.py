"""The order of results in reports: the worst verdicts first, then the largest effects."""

from __future__ import annotations

from ..results import is_share, key_estimate
from ..types import Audit, Result, Verdict

WORST_FIRST: tuple[Verdict, ...] = ("exposed", "caution", "undecided", "clear", "skipped")


def sort_results(audit: Audit) -> list[Result]:
    """Sort by verdict, then by the size of the effect; equal ones stay as they were audited."""
    return sorted(
        audit.results, key=lambda result: (WORST_FIRST.index(result.verdict), -effect_size(result))
    )


def effect_size(result: Result) -> float:
    """Return by how much accuracy differs from chance; 0 where a result is about something else."""
    if result.gain is not None:
        return result.gain
    estimate = key_estimate(result)
    if estimate is None or estimate.chance is None or not is_share(estimate):
        return 0.0
    return abs(estimate.value - estimate.chance)
