"""What readers of results need: the estimate that counts, and verdicts corrected for many tests."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast

from .scoring import include_chance
from .stats import ENOUGH_POWER
from .types import FINDINGS, POOLED, UNNAMED_SPLIT, Estimate, Probe, Result, Verdict

SKIPPED_PREFIX = "Skipped: "  # begins the summaries of probes that had nothing to test
SIGNIFICANCE_LEVEL = 0.05  # for all verdicts of an audit together


def name_items(split: str) -> str:
    """Return the items of a split as they read in a sentence: `the items in test`, `all items`."""
    return "all items" if split in (POOLED, UNNAMED_SPLIT) else f"the items in {split}"


def is_share(estimate: Estimate) -> bool:
    """Tell whether an estimate is a share and it and its chance level are within 0 to 1."""
    numbers = (estimate.value, estimate.low, estimate.high)
    is_within_unit = all(x is None or 0 <= x <= 1 for x in numbers)
    has_chance_inside = estimate.chance is None or 0 < estimate.chance < 1
    return estimate.kind == "share" and is_within_unit and has_chance_inside


def key_estimate(result: Result) -> Estimate | None:
    """Return the estimate that a card shows: the one that the summary is about.

    A result without a finding shows its first estimate, pooled if there is one: the most extreme of
    many would look like a finding. Where the summary is about no estimate, it is the one that is
    farthest from chance; shares come before other numbers, which are harder to read.
    """
    estimates = result.estimates
    if result.verdict not in FINDINGS:
        pooled = (e for e in estimates if e.split == POOLED)
        return next(pooled, next(iter(estimates), None))
    summarized = next((e for e in estimates if e.name == result.key), None)
    return summarized or max(
        estimates, key=lambda e: (is_share(e), _distance_from_chance(e)), default=None
    )


def is_at_floor(result: Result) -> bool:
    """Tell whether the p-value is the smallest that the randomisations of the probe can show."""
    if result.p is None or result.p_floor is None:
        return False
    return math.isclose(result.p, result.p_floor)


def downgrade(result: Result, q: float, reason: str) -> Result:
    """Set the corrected p-value; a finding that it does not support becomes clear or undecided.

    `reason` says what the correction was for; it is added to the summary of such a finding.
    """
    if result.verdict not in FINDINGS or q <= SIGNIFICANCE_LEVEL:
        return replace(result, q=q)
    verdict: Verdict = "clear" if (result.power or 0.0) >= ENOUGH_POWER else "undecided"
    estimates = tuple(map(include_chance, result.estimates))
    return replace(
        result,
        q=q,
        verdict=verdict,
        summary=f"{result.summary} {reason}",
        estimates=estimates,
        headline="",
        gain=None,
    )


def with_more_randomisations(probe: Probe, p: float, n_tests: int) -> Probe | None:
    """Return a probe whose smallest p-value could pass the correction for so many tests.

    None if the probe has no randomisations, whose number decides how small p can be.
    """
    n_randomisations = getattr(probe, "randomisations", None)
    if n_randomisations is None:
        return None
    factor = math.ceil(2 * n_tests * p / SIGNIFICANCE_LEVEL)
    increased = factor * (n_randomisations + 1) - 1
    return cast(Probe, replace(cast(Any, probe), randomisations=increased))


def _distance_from_chance(estimate: Estimate) -> float:
    if estimate.chance is None or estimate.low is None or estimate.high is None:
        return 0.0
    width = max(estimate.high - estimate.low, 1e-9)
    return abs(estimate.value - estimate.chance) / width
