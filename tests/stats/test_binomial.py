from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from hansproof.stats import binomial_p, min_attainable_p, wilson_interval
from hansproof.stats.binomial import binomial_sf

TRIALS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CHANCE = st.sampled_from([1 / 2, 1 / 3, 1 / 4, 1 / 5]) | st.floats(0.01, 0.99)


@given(st.lists(TRIALS, min_size=1, max_size=20))
def test_wilson_is_scipys(trials: list[tuple[int, int]]) -> None:
    low, high = wilson_interval([k for k, _ in trials], [n for _, n in trials])
    for i, (k, n) in enumerate(trials):
        expected = binomtest(k, n).proportion_ci(method="wilson")
        assert low[i] == pytest.approx(expected.low, abs=1e-12)
        assert high[i] == pytest.approx(expected.high, abs=1e-12)


def test_wilson_of_nothing_is_everything() -> None:
    assert [float(bound) for bound in wilson_interval(0, 0)] == [0.0, 1.0]


@given(st.lists(TRIALS, min_size=1, max_size=20), CHANCE)
def test_binomial_p_is_scipys(trials: list[tuple[int, int]], chance: float) -> None:
    k, n = zip(*trials, strict=True)
    expected = [binomtest(*trial, chance).pvalue for trial in trials]
    assert binomial_p(k, n, chance) == pytest.approx(expected, rel=1e-6, abs=1e-12)


@given(st.integers(1, 40), CHANCE)
def test_binomial_p_by_full_enumeration(n: int, chance: float) -> None:
    pmf = binom.pmf(np.arange(n + 1), n, chance)
    expected = [pmf[pmf <= one * (1 + 1e-7)].sum() for one in pmf]
    assert binomial_p(np.arange(n + 1), n, chance) == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 60), CHANCE)
def test_least_p_is_the_smallest_there_is(n: int, chance: float) -> None:
    everything = binomial_p(np.arange(n + 1), n, chance)
    assert float(min_attainable_p(n, chance)) == pytest.approx(float(everything.min()))


@given(st.lists(TRIALS, min_size=1, max_size=20), CHANCE)
def test_at_least_is_scipys_one_sided_p(trials: list[tuple[int, int]], chance: float) -> None:
    expected = [binomtest(*trial, chance, alternative="greater").pvalue for trial in trials]
    k, n = zip(*trials, strict=True)
    assert binomial_sf(k, n, chance) == pytest.approx(expected, rel=1e-9, abs=1e-300)
