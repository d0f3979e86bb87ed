"""Whether limits hold: by the interval, not by the value alone."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Literal

import numpy as np

from ..stats import wilson
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
    return Outcome(limit, "undecided", measured, needed(limit, measured))


def needed(limit: Limit, measured: Measured) -> int | None:
    """How many items would decide, if the value stays.

    Of a share with Wilson's interval, by that interval; else the interval is taken to shrink with
    the root of their number. None where no number would: the value is at the limit, or it is not
    known of how many it is.
    """
    estimate = measured.beyond
    above = estimate.value > limit.bound
    gap, end = abs(estimate.value - limit.bound), estimate.low if above else estimate.high
    if estimate.n is None or end is None or gap == 0:
        return None
    if _is_wilson(measured.raw):
        share = _share(measured)
        return _by_wilson(share, share + (-gap if above else gap), above)
    times = abs(end - estimate.value) / gap
    items = estimate.n * times * times
    return math.floor(items) + 1 if items < ENDLESS else None


def _is_wilson(estimate: Estimate) -> bool:
    if not estimate.n or estimate.low is None or estimate.high is None:
        return False
    ends = wilson(estimate.value * estimate.n, estimate.n)
    return bool(np.allclose((estimate.low, estimate.high), ends, rtol=0, atol=1e-9))


def _share(measured: Measured) -> float:
    """The share as the limit sees it: of an eliminating cue, that it is wrong."""
    raw, beyond = measured.raw, measured.beyond
    up, seen = (e.value if e.high is None else e.high - e.value for e in (raw, beyond))
    return raw.value if math.isclose(up, seen, abs_tol=1e-9) else 1 - raw.value


def _by_wilson(share: float, bound: float, above: bool) -> int | None:
    """The fewest items of which the whole interval of a share lies on its side of a bound."""

    def decided(items: int) -> bool:
        low, high = wilson(share * items, items)
        return bool(low > bound) if above else bool(high <= bound)

    most = int(ENDLESS)
    return bisect_left(range(1, most), True, key=decided) + 1 if decided(most) else None


def _judged(audit: Audit, limit: Limit) -> Outcome:
    if limit.name in MEASURES:
        found, why = _measured(audit, limit.name)
    else:
        found, why = _estimates(audit, limit.name)
    if not found:
        return Outcome(limit, "not measured", looked_at=0, why=why)
    if any(math.isnan(one.beyond.value) for one in found):
        return Outcome(limit, "not measured", looked_at=0, why="what was measured is no number")
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
