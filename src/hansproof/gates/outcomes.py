"""Judge limits by the interval of a number, not by its value alone."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Literal

import numpy as np

from ..stats import wilson_interval
from ..types import Audit, Displayable, Estimate, Verdict
from .limits import MEASURES, Measurement, raw_measurements
from .limits_file import Limit

Status = Literal["pass", "skipped", "undecided", "fail", "not measured"]
STATUS_ORDER: tuple[Status, ...] = ("pass", "skipped", "undecided", "fail", "not measured")
MAX_ITEMS = 1e9  # items; no benchmark has more


@dataclass(frozen=True, slots=True)
class LimitOutcome:
    """The outcome of one limit, for the worst of the numbers that it covers.

    Attributes:
        limit: The limit.
        status: `"pass"`, `"fail"`, `"undecided"` (there are too few items to tell), `"skipped"`
            (the probe had nothing to test) or `"not measured"`.
        measurement: The number that was judged; None if there is none.
        items_needed: The number of items that would decide an undecided limit.
        n_compared: The number of numbers that the limit covers.
        reason: Why nothing was measured, or what the probe says.
        verdict: The verdict of the probe, where the limit is on its verdict.
    """

    limit: Limit
    status: Status
    measurement: Measurement | None = None
    items_needed: int | None = None
    n_compared: int = 1
    reason: str = ""
    verdict: Verdict | None = None

    def fails(self, allow_undecided: bool = False) -> bool:
        """Tell whether the limit is broken, was not measured, or is undecided."""
        is_undecided = self.status == "undecided" and not allow_undecided
        return self.status in ("fail", "not measured") or is_undecided


@dataclass(frozen=True, slots=True, repr=False)
class GateResult(Displayable):
    """The outcomes of all limits for one audit.

    It is neither true nor false: `assert hansproof.gate(benchmark).passes()`.

    Attributes:
        benchmark: The name of the benchmark.
        splits: The names of its splits.
        limits_source: The file of the limits, or `built in`.
        outcomes: The outcome of each limit.

    Examples:
        >>> import hansproof
        >>> result = hansproof.gate("toy:original")
        >>> result.passes(allow_undecided=True)
        False
    """

    benchmark: str
    splits: tuple[str, ...]
    limits_source: str
    outcomes: tuple[LimitOutcome, ...]

    def __bool__(self) -> bool:
        """Raise TypeError: `assert gate(benchmark)` would pass whatever the outcomes are."""
        raise TypeError("a GateResult is neither true nor false: use .passes()")

    def passes(self, allow_undecided: bool = False) -> bool:
        """Tell whether all limits are known to hold; undecided ones may be allowed."""
        return not any(outcome.fails(allow_undecided) for outcome in self.outcomes)


def judge_measurement(limit: Limit, measurement: Measurement) -> LimitOutcome:
    """Judge one number by a limit."""
    estimate = measurement.excess
    low = estimate.value if estimate.low is None else estimate.low
    high = estimate.value if estimate.high is None else estimate.high
    holds = high <= limit.bound if limit.at_most else low >= limit.bound
    violated = low > limit.bound if limit.at_most else high < limit.bound
    if holds or violated:
        return LimitOutcome(limit, "pass" if holds else "fail", measurement)
    return LimitOutcome(limit, "undecided", measurement, estimate_items_needed(limit, measurement))


def estimate_items_needed(limit: Limit, measurement: Measurement) -> int | None:
    """Estimate how many items would decide a limit if the value stays the same.

    A share with Wilson's interval uses that interval; other intervals are assumed to shrink with
    the square root of n. None if no number of items would decide (the value equals the limit), or
    if n is unknown.
    """
    estimate = measurement.excess
    above = estimate.value > limit.bound
    distance, end = abs(estimate.value - limit.bound), estimate.low if above else estimate.high
    if estimate.n is None or end is None or distance == 0:
        return None
    if _is_wilson(measurement.raw):
        share = _limited_share(measurement)
        return _items_needed_by_wilson(share, share + (-distance if above else distance), above)
    ratio = abs(end - estimate.value) / distance
    n_items = estimate.n * ratio * ratio
    return math.floor(n_items) + 1 if n_items < MAX_ITEMS else None


def _is_wilson(estimate: Estimate) -> bool:
    if not estimate.n or estimate.low is None or estimate.high is None:
        return False
    ends = wilson_interval(estimate.value * estimate.n, estimate.n)
    return bool(np.allclose((estimate.low, estimate.high), ends, rtol=0, atol=1e-9))


def _limited_share(measurement: Measurement) -> float:
    """Return the share that is limited: for an eliminating cue, the share of wrong choices."""
    raw, excess = measurement.raw, measurement.excess
    raw_width, excess_width = (
        e.value if e.high is None else e.high - e.value for e in (raw, excess)
    )
    return raw.value if math.isclose(raw_width, excess_width, abs_tol=1e-9) else 1 - raw.value


def _items_needed_by_wilson(share: float, bound: float, above: bool) -> int | None:
    """Find the fewest items for which the interval of a share lies on one side of a bound."""

    def is_decided(n_items: int) -> bool:
        low, high = wilson_interval(share * n_items, n_items)
        return bool(low > bound) if above else bool(high <= bound)

    max_items = int(MAX_ITEMS)
    return (
        bisect_left(range(1, max_items), True, key=is_decided) + 1
        if is_decided(max_items)
        else None
    )


def judge_limit(audit: Audit, limit: Limit) -> LimitOutcome:
    """Judge the worst of the numbers that a limit covers."""
    is_measure = limit.name in MEASURES
    measurements = (_find_measurements if is_measure else _match_estimates)(audit, limit.name)
    if not measurements:
        return _explain_missing(audit, limit)
    if any(math.isnan(measurement.excess.value) for measurement in measurements):
        reason = "the measured value is not a number"
        return LimitOutcome(limit, "not measured", n_compared=0, reason=reason)
    outcomes = [judge_measurement(limit, measurement) for measurement in measurements]
    return replace(max(outcomes, key=_severity_key(limit)), n_compared=len(outcomes))


def _severity_key(limit: Limit) -> Callable[[LimitOutcome], tuple[int, float]]:
    def severity(outcome: LimitOutcome) -> tuple[int, float]:
        assert outcome.measurement is not None
        value = outcome.measurement.excess.value
        return STATUS_ORDER.index(outcome.status), value if limit.at_most else -value

    return severity


def _find_measurements(audit: Audit, name: str) -> list[Measurement]:
    """Return the numbers of a measure."""
    measure = MEASURES[name]
    results = [result for result in audit.results if result.probe == measure.probe]
    return [measurement for result in results for measurement in measure.extract(result)]


def _match_estimates(audit: Audit, pattern: str) -> list[Measurement]:
    """Return the estimates that match a name with wildcards."""
    return [
        measurement
        for result in audit.results
        for measurement in raw_measurements(result)
        if fnmatchcase(f"{result.probe}/{measurement.raw.name}", pattern)
        or f"{result.probe}/{measurement.raw.name}" == pattern  # brackets may be literal
    ]


def limited_probe(name: str) -> str:
    """Return the probe whose numbers a limit is about, perhaps with wildcards."""
    return MEASURES[name].probe if name in MEASURES else name.partition("/")[0]


def _explain_missing(audit: Audit, limit: Limit) -> LimitOutcome:
    """Say why there is no number; a measure is undecided if its probe has too few items for one."""
    probe = limited_probe(limit.name)
    status: Status = "not measured"
    results = [result for result in audit.results if fnmatchcase(result.probe, probe)]
    failures = [failure for failure in audit.failures if fnmatchcase(failure.probe, probe)]
    if results and limit.name in MEASURES:
        reason = results[0].summary
        status = "undecided" if results[0].verdict == "undecided" else status
    elif results:
        reason = "the audit has no estimate of this name"
    elif failures:
        reason = f"{failures[0].probe} could not be run: {failures[0].error}"
    else:
        reason = f"the audit has no result of {probe}"
    return LimitOutcome(limit, status, n_compared=0, reason=reason)
