"""Judge an audit: the verdicts of its probes, and its numbers by limits."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Audit, Result, Verdict
from .limits import MEASURES
from .limits_file import COUNT_LIMITS, Limit, Limits
from .outcomes import GateResult, LimitOutcome, Status, judge_limit

# by the worst verdict that is allowed
PASSING_VERDICTS: dict[Verdict, tuple[Verdict, ...]] = {
    "clear": ("clear",),
    "caution": ("clear", "caution"),
}


def judge_audit(audit: Audit, limits: Limits) -> GateResult:
    """Judge an audit by the verdicts of its probes and by each limit on a number."""
    outcomes = (
        *_judge_verdicts(audit, limits),
        *(judge_limit(audit, limit) for limit in limits.number_limits()),
    )
    return GateResult(audit.benchmark, tuple(audit.sizes), limits.source, outcomes)


def _judge_verdicts(audit: Audit, limits: Limits) -> Iterator[LimitOutcome]:
    """Judge the verdicts on the benchmark, but not of probes that a given limit measures.

    Limits on other estimates, such as a lower bound on an accuracy, do not replace a verdict.
    """
    allowed = limits.worst_verdict
    if allowed is None:
        return
    counts = {limit.name for limit in COUNT_LIMITS}  # these measure a part of a verdict only
    measured = {
        MEASURES[limit.name].probe
        for limit in limits.limits
        if limit.name in MEASURES and limit.name not in counts
    }
    results = [r for r in audit.results if r.subject == "benchmark" and r.probe not in measured]
    failures = [f for f in audit.failures if f.subject == "benchmark" and f.probe not in measured]
    for result in results:
        yield _judge_verdict(result, Limit(result.probe, worst_verdict=allowed))
    for failure in failures:
        limit = Limit(failure.probe, worst_verdict=allowed)
        yield LimitOutcome(limit, "not measured", reason=f"could not be run: {failure.error}")
    if not measured and not failures and all(result.verdict == "skipped" for result in results):
        limit = Limit("benchmark", worst_verdict=allowed)
        yield LimitOutcome(limit, "not measured", reason="no probe could judge the benchmark")


def _judge_verdict(result: Result, limit: Limit) -> LimitOutcome:
    assert limit.worst_verdict is not None
    status: Status = "fail"
    if result.verdict in PASSING_VERDICTS[limit.worst_verdict]:
        status = "pass"
    elif result.verdict in ("skipped", "undecided"):
        status = result.verdict
    return LimitOutcome(
        limit,
        status,
        items_needed=result.n_needed if status == "undecided" else None,
        reason=result.headline or result.summary,
        verdict=result.verdict,
    )
