"""The time left: proportional, counted down, never growing by waiting, unknown without a basis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof._infra.time_left import Pace, estimate_time_left, format_seconds


def make_pace(total: float, completed: float, changed: float, step: float = 0.0) -> Pace:
    pace = Pace(total, 0.0, step)
    pace.update(completed, changed)
    return pace


@given(st.floats(0.01, 1e6), st.floats(0.1, 0.999))
def test_the_rest_goes_at_the_same_speed(elapsed: float, share_done: float) -> None:
    left = estimate_time_left([make_pace(1, share_done, elapsed)], elapsed)
    assert left == pytest.approx(elapsed / share_done - elapsed)


def test_it_counts_down_between_updates_and_then_says_nothing() -> None:
    half = make_pace(2, 1, changed=10)
    assert [estimate_time_left([half], now) for now in (10, 14, 20, 40)] == [10, 6, None, None]
    assert estimate_time_left([Pace(2, 0.0)], 10) is None
    assert estimate_time_left([make_pace(2, 2, changed=10)], 10) == 0
    assert estimate_time_left([Pace(0, 0.0)], 10) is None


@pytest.mark.parametrize(
    ("total", "completed", "is_known"),
    [(20, 0.7, False), (20, 2, True), (1000, 9, False), (1000, 10, True), (5, 0.4, False)],
)
def test_there_is_no_estimate_before_there_is_a_basis(
    total: float, completed: float, is_known: bool
) -> None:
    left = estimate_time_left([make_pace(total, completed, changed=41)], 41)
    assert (left is not None) == is_known


def test_a_step_that_takes_longer_than_expected_is_estimated_by_its_own_pace() -> None:
    work = make_pace(3, 1, changed=10, step=1)  # a step of ten seconds, two more to go
    step = Pace(100, 10.0)
    step.update(5, 15.0)
    assert estimate_time_left([work, step], 15) == 15  # too early to tell that it is slow
    step.update(20, 30.0)
    assert estimate_time_left([work, step], 30) == 80 + 10  # the rest of the step, and the last
    assert estimate_time_left([work, step], 40) == 70 + 10
    assert estimate_time_left([work], 40) is None


def test_the_pace_of_a_step_tells_nothing_of_steps_to_come() -> None:
    step = make_pace(4, 2, changed=10)
    assert estimate_time_left([Pace(3, 0.0, step=1), step], 10) is None
    assert estimate_time_left([Pace(1, 0.0, step=1), step], 10) == 10  # the only step


@given(
    st.lists(st.tuples(st.floats(0, 10), st.floats(0, 50)), min_size=1, max_size=6),
    st.floats(0, 1000),
    st.floats(0, 1000),
)
def test_it_never_grows_because_time_passes(
    states: list[tuple[float, float]], early: float, late: float
) -> None:
    paces = [make_pace(10, completed, changed, step=1) for completed, changed in states]
    first, second = sorted((50 + early, 50 + late))
    before, after = (estimate_time_left(paces, now) for now in (first, second))
    assert after is None or (before is not None and after <= before + 1e-6)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0:00"), (7, "0:07"), (760, "12:40"), (10930, "3:02:10")]
)
def test_format(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
