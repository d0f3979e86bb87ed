"""The time left: proportional, counted down, and unknown where nobody can tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof._infra.time_left import estimate_time_left, format_seconds


@given(st.floats(0.01, 1e6), st.floats(0.001, 0.999))
def test_the_rest_goes_at_the_same_speed(elapsed: float, share_done: float) -> None:
    left = estimate_time_left(elapsed, share_done)
    assert left == pytest.approx(elapsed / share_done - elapsed)


def test_it_counts_down_between_updates_and_then_says_nothing() -> None:
    assert estimate_time_left(10, 0.5, since_update=4) == 6
    assert estimate_time_left(10, 0.5, since_update=11) is None
    assert estimate_time_left(10, 0.0) is None
    assert estimate_time_left(10, 1.0) == 0


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0:00"), (7, "0:07"), (760, "12:40"), (10930, "3:02:10")]
)
def test_format(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text
