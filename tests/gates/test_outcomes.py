"""Pass, fail, undecided, not measured."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hansproof.gates import GateResult, Limit, LimitOutcome
from hansproof.gates.limits import Measurement
from hansproof.gates.messages import outcome_lines
from hansproof.gates.outcomes import (
    STATUS_ORDER,
    estimate_items_needed,
    judge_limit,
    judge_measurement,
)
from hansproof.stats import wilson_interval
from hansproof.types import Estimate, Failure, Verdict

from ..support.gate_factories import audit, cues, estimates, views

unit = st.floats(0, 1)
intervals = st.tuples(unit, unit, unit).map(sorted)


def measured(low: float, value: float, high: float, n: int | None = 100) -> Measurement:
    estimate = Estimate("e", value, low, high, n)
    return Measurement(estimate, estimate, "", "")


def judged(limit: Limit, *found: Estimate) -> LimitOutcome:
    made = audit(estimates("p", *found), failures=(Failure("q", "no answers"),))
    return judge_limit(made, limit)


@given(intervals, unit)
def test_the_interval_decides(ends: list[float], bound: float) -> None:
    low, value, high = ends
    status = judge_measurement(Limit("p/e", bound), measured(low, value, high)).status
    assert status == ("pass" if high <= bound else "fail" if low > bound else "undecided")
    least = judge_measurement(Limit("p/e", bound, at_most=False), measured(low, value, high)).status
    assert least == ("pass" if low >= bound else "fail" if high < bound else "undecided")


@given(intervals, unit, unit)
def test_a_looser_limit_is_never_worse(ends: list[float], one: float, other: float) -> None:
    tight, loose = sorted((one, other))
    low, value, high = ends
    found = measured(low, value, high)
    worse = STATUS_ORDER.index(judge_measurement(Limit("p/e", tight), found).status)
    assert STATUS_ORDER.index(judge_measurement(Limit("p/e", loose), found).status) <= worse
    worse = STATUS_ORDER.index(judge_measurement(Limit("p/e", loose, at_most=False), found).status)
    assert (
        STATUS_ORDER.index(judge_measurement(Limit("p/e", tight, at_most=False), found).status)
        <= worse
    )


@given(intervals, unit, st.integers(1, 10_000), st.booleans())
def test_so_many_items_decide(ends: list[float], bound: float, n: int, at_most: bool) -> None:
    low, value, high = ends
    assume(abs(value - bound) > 1e-3)
    limit = Limit("p/e", bound, at_most)
    found = judge_measurement(limit, measured(low, value, high, n))
    assume(found.status == "undecided")
    assert found.items_needed is not None
    assert found.items_needed > n

    def with_items(items: float) -> str:
        shrunk = math.sqrt(n / items)
        ends = value - (value - low) * shrunk, value, value + (high - value) * shrunk
        return judge_measurement(limit, measured(*ends)).status

    assert with_items(found.items_needed) != "undecided"
    assert with_items(0.99 * found.items_needed - 1) == "undecided"  # and not many fewer


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(1, 300), st.floats(0, 1), st.floats(-0.5, 0.5), st.booleans())
def test_so_many_items_decide_by_the_interval_of_a_share(
    n: int, part: float, gap: float, turned: bool
) -> None:
    """Wilson's interval of so many items with the same share is on one side, of one fewer not."""
    assume(abs(gap) > 0.02)
    share = round(part * n) / n
    low, high = (float(end) for end in wilson_interval(share * n, n))
    raw = Estimate("e", share, low, high, n)
    beyond = Estimate("e", 0.5 - share, 0.5 - high, 0.5 - low, n) if turned else raw
    limit = Limit("p/e", beyond.value + gap)
    found = judge_measurement(limit, Measurement(raw, beyond, "", ""))
    assume(found.status == "undecided")
    assert found.items_needed is not None

    def decided(items: int) -> bool:
        low, high = (float(end) for end in wilson_interval(share * items, items))
        ends = (0.5 - high, 0.5 - low) if turned else (low, high)
        return ends[1] <= limit.bound or ends[0] > limit.bound

    assert decided(found.items_needed)
    assert not decided(found.items_needed - 1) or found.items_needed == 1


def test_how_many_would_decide_does_not_depend_on_how_many_there_are() -> None:
    for n in (2, 10, 20):
        low, high = (float(end) for end in wilson_interval(n / 2, n))
        one = Measurement(
            Estimate("e", 0.5, low, high, n), Estimate("e", 0.0, low - 0.5, high - 0.5, n), "", ""
        )
        assert estimate_items_needed(Limit("class_imbalance", 0.1), one) == 93


def test_what_is_no_number_is_not_measured() -> None:
    found = judged(Limit("p/e", 0.5), Estimate("e", float("nan"), 0.1, 0.2, 10))
    assert (found.status, found.reason) == ("not measured", "the measured value is not a number")


def test_no_number_of_items_decides_at_the_limit_itself() -> None:
    limit = Limit("p/e", 0.5)
    assert estimate_items_needed(limit, measured(0.4, 0.5, 0.6)) is None
    assert estimate_items_needed(limit, measured(0.4, 0.5 + 1e-9, 0.6)) is None  # or nearly so
    assert (
        estimate_items_needed(limit, measured(0.4, 0.45, 0.6, None)) is None
    )  # of how many it is is not known
    assert (
        "no number of items would be enough"
        in outcome_lines([judge_measurement(limit, measured(0.4, 0.5, 0.6))])[0]
    )


def test_a_number_without_an_interval_is_taken_as_it_is() -> None:
    assert judged(Limit("p/e", 2), Estimate("e", 2.0)).status == "pass"
    assert judged(Limit("p/e", 1), Estimate("e", 2.0)).status == "fail"


def test_of_several_numbers_the_worst_counts() -> None:
    passing, undecided = Estimate("a", 0.1, 0.0, 0.2, 9), Estimate("b", 0.5, 0.1, 0.9, 9)
    failing, more = Estimate("c", 0.4, 0.35, 0.5, 9), Estimate("d", 0.45, 0.35, 0.5, 9)
    limit = Limit("p/*", 0.3)
    assert judged(limit, passing, undecided, failing, more) == replace(
        judged(Limit("p/d", 0.3), more), limit=limit, n_compared=4
    )
    assert judged(limit, passing, undecided).status == "undecided"
    low = judged(Limit("p/*", 0.3, at_most=False), Estimate("e", 0.2), Estimate("f", 0.1))
    assert low.measurement is not None
    assert low.measurement.raw.name == "f"


def test_a_name_may_have_brackets() -> None:
    assert judged(Limit("p/a [b]", 1), Estimate("a [b]", 0.5)).status == "pass"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("contamination", "the audit has no result of contamination"),
        ("cue_lift", "the audit has no result of cues"),
        ("p/none", "the audit has no estimate of this name"),
        ("r/e", "the audit has no result of r"),
        ("q/e", "q could not be run: no answers"),
    ],
)
def test_what_was_not_measured_fails_and_says_why(name: str, why: str) -> None:
    found = judged(Limit(name, 1.0), Estimate("e", 0.5))
    assert (found.status, found.reason) == ("not measured", why)
    assert found.fails()
    assert found.fails(allow_undecided=True)
    (line,) = outcome_lines([found])
    assert line.startswith(f"not measured  {name}  ≤ 1?  {why}")


def test_undecided_fails_unless_it_is_allowed() -> None:
    undecided = judge_measurement(Limit("p/e", 0.5), measured(0.4, 0.45, 0.6))
    assert (undecided.fails(), undecided.fails(allow_undecided=True)) == (True, False)


def test_too_few_items_for_any_cue_are_undecided() -> None:
    found = judge_limit(audit(cues([], verdict="undecided")), Limit("cue_lift", 0.1))
    assert (found.status, found.items_needed) == ("undecided", None)
    assert outcome_lines([found])[0].endswith("but there are too few items for a verdict")


@pytest.mark.parametrize(
    ("verdict", "status"), [("undecided", "undecided"), ("skipped", "not measured")]
)
def test_a_measure_without_a_number_repeats_what_its_probe_says(
    verdict: Verdict, status: str
) -> None:
    """One item cannot be learnt from; where there is nothing to hide there is no blind view."""
    result = replace(views(), verdict=verdict, summary="The reason.")
    found = judge_limit(audit(result), Limit("blind_accuracy", 0.05))
    assert (found.status, found.reason) == (status, "The reason.")


def test_a_probe_that_was_run_twice_is_measured_twice() -> None:
    cue = ("dev", "not", 20, 18, 0.9, 0.7, 0.97, 0.5, "telling")
    found = judge_limit(audit(cues([], verdict="clear"), cues([cue])), Limit("cue_lift", 0.1))
    assert (found.status, found.n_compared) == ("fail", 2)


def test_lines_stand_in_columns_and_hold_nothing_invisible() -> None:
    cue = ("dev", "a\x1b[31m\n\u202e::error::", 20, 18, 0.9, 0.7, 0.97, 0.5, "telling")
    made = audit(cues([cue]))
    limits = Limit("cue_lift", 0.1), Limit("cues/x\ny", 0.1)
    first, second = outcome_lines([judge_limit(made, limit) for limit in limits])
    assert first.startswith("fail          cue_lift   0.400 [0.200, 0.470] > 0.1  the choice with")
    assert second.startswith("not measured  cues/x\\ny  ≤ 0.1?                      the audit has")
    assert r"“a\x1b[31m\n\u202e::error::”" in first
    assert (first + second).isprintable()


def test_a_result_is_neither_true_nor_false() -> None:
    result = GateResult("b", ("test",), "built in", ())
    with pytest.raises(TypeError, match=r"use \.passes\(\)"):
        assert result
    assert result.passes()
