"""Whether limits hold: by the interval, not by the value alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Literal

from ..types import Audit, Estimate
from .limits import Limit, Limits
from .measures import MEASURES, Measured, as_they_are

Status = Literal["pass", "undecided", "fail", "not measured"]
BADNESS: tuple[Status, ...] = ("pass", "undecided", "fail", "not measured")

ENDLESS = 1e9  # items: nobody writes so many


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one limit: of several numbers that it is about, the worst."""

    limit: Limit
    status: Status
    measured: Measured | None = None
    needed: int | None = None  # of the measured things, to decide what is undecided
    looked_at: int = 1  # numbers that it is the worst of
    why: str = ""  # it was not measured

    def fails(self, strict: bool) -> bool:
        return self.status in ("fail", "not measured") or (strict and self.status == "undecided")


@dataclass(frozen=True, slots=True)
class Judged:
    """An audit held against limits."""

    benchmark: str
    splits: tuple[str, ...]
    source: str  # of the limits
    outcomes: tuple[Outcome, ...]

    def passed(self, strict: bool = False) -> bool:
        """Whether no limit is broken; strictly, whether all are known to hold."""
        return not any(outcome.fails(strict) for outcome in self.outcomes)


def judge(audit: Audit, limits: Limits) -> Judged:
    """Hold an audit against limits, one by one."""
    outcomes = tuple(_judged(audit, limit) for limit in limits.limits)
    return Judged(audit.benchmark, tuple(audit.sizes), limits.source, outcomes)


def outcome(limit: Limit, measured: Measured) -> Outcome:
    """What comes of a limit for one number."""
    estimate = measured.beyond
    low = estimate.value if estimate.low is None else estimate.low
    high = estimate.value if estimate.high is None else estimate.high
    holds = high <= limit.bound if limit.at_most else low >= limit.bound
    broken = low > limit.bound if limit.at_most else high < limit.bound
    if holds or broken:
        return Outcome(limit, "pass" if holds else "fail", measured)
    return Outcome(limit, "undecided", measured, needed(limit, estimate))


def needed(limit: Limit, estimate: Estimate) -> int | None:
    """How many items would decide, if the value stays and the interval shrinks with their root.

    None where no number would: the value is at the limit, or it is not known of how many it is.
    """
    gap = abs(estimate.value - limit.bound)
    end = estimate.low if estimate.value > limit.bound else estimate.high
    if estimate.n is None or end is None or gap == 0:
        return None
    times = abs(end - estimate.value) / gap
    items = estimate.n * times * times
    return math.floor(items) + 1 if items < ENDLESS else None


def _judged(audit: Audit, limit: Limit) -> Outcome:
    if limit.name in MEASURES:
        found, why = _measured(audit, limit.name)
    else:
        found, why = _estimates(audit, limit.name)
    if not found:
        return Outcome(limit, "not measured", looked_at=0, why=why)
    outcomes = [outcome(limit, one) for one in found]
    return replace(max(outcomes, key=_badness(limit)), looked_at=len(outcomes))


def _badness(limit: Limit) -> Callable[[Outcome], tuple[int, float]]:
    def badness(outcome: Outcome) -> tuple[int, float]:
        assert outcome.measured is not None
        value = outcome.measured.beyond.value
        return BADNESS.index(outcome.status), value if limit.at_most else -value

    return badness


def _measured(audit: Audit, name: str) -> tuple[list[Measured], str]:
    """The numbers of a measure, or why there are none."""
    measure = MEASURES[name]
    for result in audit.results:
        if result.probe == measure.probe:
            return measure.found(result), f"{measure.probe} found nothing to measure"
    return [], _missing(audit, measure.probe)


def _estimates(audit: Audit, pattern: str) -> tuple[list[Measured], str]:
    """The estimates that a name with wildcards means, or why there are none."""
    found = [
        one
        for result in audit.results
        for one in as_they_are(result)
        if fnmatchcase(f"{result.probe}/{one.raw.name}", pattern)
        or f"{result.probe}/{one.raw.name}" == pattern  # brackets may be meant
    ]
    probe = pattern.partition("/")[0]
    if any(fnmatchcase(result.probe, probe) for result in audit.results):
        return found, "the audit has no estimate of that name"
    return found, _missing(audit, probe)


def _missing(audit: Audit, probe: str) -> str:
    for failure in audit.failures:
        if fnmatchcase(failure.probe, probe):
            return f"{failure.probe} could not be run: {failure.error}"
    return f"the audit has no {probe}"
