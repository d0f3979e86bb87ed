"""The interval of a ratio of sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.stats import bootstrap_ratio, intervals
from hansproof.stats._kernels import sum_drawn_rows

NAMES = [str(i) for i in range(200)]


@given(st.integers(0, 1000), st.floats(0.1, 5))
def test_what_is_proportional_has_no_spread(seed: int, times: float) -> None:
    below = np.random.default_rng(seed).uniform(0.5, 2, 200)
    low, high = bootstrap_ratio(times * below, below, NAMES, rounds=200)
    assert low == pytest.approx(times)
    assert high == pytest.approx(times)


def test_it_covers_the_true_ratio() -> None:
    hits = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        below = rng.normal(1, 1, 200)
        above = 0.5 * below + rng.normal(0, 0.5, 200)
        low, high = bootstrap_ratio(above, below, NAMES, rounds=500, seed=seed)
        assert low is not None
        assert high is not None
        hits += low <= 0.5 <= high
    assert 180 <= hits <= 199


def test_a_divisor_that_may_be_nothing_leaves_an_end_open() -> None:
    rng = np.random.default_rng(1)
    above, below = rng.normal(1, 1, 200), rng.normal(0.02, 1, 200)
    low, high = bootstrap_ratio(above, below, NAMES)
    assert None in (low, high)


def test_groups_are_drawn_whole_and_few_say_nothing() -> None:
    rng = np.random.default_rng(2)
    unit = rng.normal(1, 0.5, 40)
    above = np.repeat(unit * rng.uniform(0, 1, 40), 5)
    below = np.repeat(unit, 5)
    groups = [str(i // 5) for i in range(200)]
    together = bootstrap_ratio(above, below, groups)
    apart = bootstrap_ratio(above, below, NAMES)
    assert (together[1] or 0) - (together[0] or 0) > 1.5 * ((apart[1] or 0) - (apart[0] or 0))
    assert bootstrap_ratio(above, below, ["a", "b"] * 100) == (None, None)


def test_many_units_are_drawn_by_kind_from_the_same_distribution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    units = np.stack([rng.integers(0, 30, 600) / 30, rng.integers(1, 20, 600) / 20], axis=1)
    assert len(np.unique(units, axis=0)) > intervals.MAX_KINDS
    one_by_one = intervals._resample_sums(units, 4000, np.random.default_rng(1))
    monkeypatch.setattr(intervals, "MANY_UNITS", 500)
    still_drawn = intervals._resample_sums(units, 4000, np.random.default_rng(1))
    assert (still_drawn == one_by_one).all()  # most units differ: kinds would be slower
    twelvefold = np.repeat(units, 12, axis=0)
    by_kind = intervals._resample_sums(twelvefold, 4000, np.random.default_rng(1))
    monkeypatch.setattr(intervals, "MANY_UNITS", 10**6)
    drawn = intervals._resample_sums(twelvefold, 4000, np.random.default_rng(1))
    assert not (by_kind == drawn).all()
    assert by_kind.mean(axis=0) == pytest.approx(drawn.mean(axis=0), rel=0.002)
    assert by_kind.std(axis=0) == pytest.approx(drawn.std(axis=0), rel=0.06)


def test_sums_of_drawn_rows_are_those_of_numpy_to_the_last_bit() -> None:
    rng = np.random.default_rng(0)
    rows, drawn = rng.random((500, 3)), rng.integers(0, 500, (20, 500))
    assert (sum_drawn_rows(rows, drawn) == rows[drawn].sum(axis=1)).all()
