"""The interval of a ratio of sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.stats import bootstrap_ratio

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
