from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, false_discovery_control

from hansproof.stats import (
    benjamini_hochberg,
    binomial_p,
    folds,
    group_numbers,
    least_p,
    mean_interval,
    wilson,
)

TRIALS = st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
CHANCE = st.sampled_from([1 / 2, 1 / 3, 1 / 4, 1 / 5]) | st.floats(0.01, 0.99)


@given(st.lists(TRIALS, min_size=1, max_size=20))
def test_wilson_is_scipys(trials: list[tuple[int, int]]) -> None:
    low, high = wilson([k for k, _ in trials], [n for _, n in trials])
    for i, (k, n) in enumerate(trials):
        expected = binomtest(k, n).proportion_ci(method="wilson")
        assert low[i] == pytest.approx(expected.low, abs=1e-12)
        assert high[i] == pytest.approx(expected.high, abs=1e-12)


def test_wilson_of_nothing_is_everything() -> None:
    assert [float(bound) for bound in wilson(0, 0)] == [0.0, 1.0]


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
    assert float(least_p(n, chance)) == pytest.approx(float(everything.min()))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_benjamini_hochberg_is_scipys(p: list[float]) -> None:
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))


def test_benjamini_hochberg_of_nothing() -> None:
    assert benjamini_hochberg([]).size == 0


@given(st.lists(st.booleans(), min_size=1, max_size=50))
def test_mean_interval_without_groups_is_wilsons(right: list[bool]) -> None:
    low, high = wilson(sum(right), len(right))
    found = mean_interval([float(r) for r in right], [None] * len(right))
    assert found == pytest.approx((float(low), float(high)))


def test_mean_interval_knows_that_groups_vary_together() -> None:
    scores = [1.0, 0.0] * 20
    together = mean_interval(np.repeat(scores, 2), np.repeat(range(40), 2).astype(str).tolist())
    apart = mean_interval(np.repeat(scores, 2), [None] * 80)
    assert together == pytest.approx(mean_interval(scores, [None] * 40), abs=0.003)
    assert together[1] - together[0] > apart[1] - apart[0]


@pytest.mark.parametrize("groups", [["g"] * 10, ["g", "h"] * 5])
def test_mean_interval_of_few_groups_is_wide(groups: list[str]) -> None:
    low, high = mean_interval([1, 1, 1, 1, 0, 0, 1, 1, 1, 1], groups)
    assert low < 0.3
    assert high > 0.9


def test_mean_interval_of_mirrored_pairs_is_a_point() -> None:
    pairs = [str(i // 2) for i in range(40)]
    assert mean_interval([1.0, 0.0] * 20, pairs) == (0.5, 0.5)


def test_mean_interval_covers_at_the_level_it_claims() -> None:
    """Simulated: groups of three that share their fate half of the time."""
    rng = np.random.default_rng(0)
    groups = np.repeat(range(60), 3).astype(str).tolist()
    covered = 0
    for _ in range(400):
        shared = np.repeat(rng.random(60) < 0.5, 3)
        scores = np.where(shared, np.repeat(rng.random(60) < 0.6, 3), rng.random(180) < 0.6)
        low, high = mean_interval(scores, groups)
        covered += low <= 0.6 <= high
    assert 0.92 <= covered / 400 <= 0.98


@given(st.lists(st.sampled_from([None, "a", "b", "c", "d"]), min_size=1, max_size=60))
def test_folds_never_part_a_group(groups: list[str | None]) -> None:
    number = group_numbers(groups)
    fold = folds(groups, 5, seed=1)
    for g in set(number.tolist()):
        assert len(set(fold[number == g].tolist())) == 1
    assert fold.tolist() == folds(groups, 5, seed=1).tolist()


def test_folds_are_of_like_size() -> None:
    assert sorted(np.bincount(folds([None] * 103, 10, seed=0)).tolist()) == [10] * 7 + [11] * 3
