"""The order of results in reports: the worst verdicts first, then the largest effects.

Of shortcuts that are nearly equally strong, the simplest comes first: anybody can follow it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..results import is_share, key_estimate
from ..types import Audit, Result, Verdict

WORST_FIRST: tuple[Verdict, ...] = ("exposed", "caution", "undecided", "clear", "skipped")
SIMPLEST_FIRST = ("class_balance", "surface", "cues", "shortcuts", "partial_input")
AS_STRONG = 0.9  # a simpler shortcut comes first if it gains that share of what the strongest gains


def sort_results(audit: Audit) -> list[Result]:
    """Sort by verdict, then by the size of the effect; equal ones stay as they were audited."""
    return [
        result
        for verdict in WORST_FIRST
        for result in rank_results(r for r in audit.results if r.verdict == verdict)
    ]


def rank_results(results: Iterable[Result]) -> list[Result]:
    """Sort results with the same verdict: the simplest of the strongest shortcuts first."""
    by_size = sorted(results, key=lambda result: -effect_size(result))
    strongest = max((result.gain or 0.0 for result in by_size), default=0.0)

    def rank_simplicity(result: Result) -> int:
        is_strong = result.gain is not None and result.gain >= AS_STRONG * strongest
        is_simple = is_strong and result.probe in SIMPLEST_FIRST
        return SIMPLEST_FIRST.index(result.probe) if is_simple else len(SIMPLEST_FIRST)

    return sorted(by_size, key=rank_simplicity)


def effect_size(result: Result) -> float:
    """Return by how much accuracy differs from chance; 0 where a result is about something else."""
    if result.gain is not None:
        return result.gain
    estimate = key_estimate(result)
    if estimate is None or estimate.chance is None or not is_share(estimate):
        return 0.0
    return abs(estimate.value - estimate.chance)
