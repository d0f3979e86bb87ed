from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from hansproof.stats import bootstrap_gap, bootstrap_mean, mean_interval, wilson_interval


@given(st.lists(st.booleans(), min_size=1, max_size=50))
def test_mean_interval_without_groups_is_wilsons(right: list[bool]) -> None:
    low, high = wilson_interval(sum(right), len(right))
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


@pytest.mark.parametrize("values", [(0.0, 1.0), (0.0, 1 / 3, 2 / 3, 1.0)])
def test_bootstrap_is_scipys_percentile_bootstrap(values: tuple[float, ...]) -> None:
    """Both are random: their ends agree within what 10,000 rounds leave open."""
    x = np.random.default_rng(1).choice(values, 200)
    expected = scipy_stats.bootstrap(
        (x,), np.mean, method="percentile", n_resamples=10_000, rng=np.random.default_rng(2)
    ).confidence_interval
    assert bootstrap_mean(x) == pytest.approx((expected.low, expected.high), abs=0.008)


def test_bootstrap_of_real_scores_with_groups_is_resampling_of_groups() -> None:
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 5, 60)
    groups = np.repeat(np.arange(60), sizes)
    x = rng.random(groups.size) + np.repeat(rng.random(60), sizes)
    sums = np.bincount(groups, x)
    drawn = rng.integers(0, 60, (20_000, 60))
    means = sums[drawn].sum(1) / sizes[drawn].sum(1)
    found = bootstrap_mean(x, [str(g) for g in groups])
    assert found == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.02)


def test_few_units_say_nothing() -> None:
    assert bootstrap_mean([1.0] * 9) == (0, 1)
    assert bootstrap_mean([1.0] * 40, [str(i // 5) for i in range(40)], bounds=(-1, 1)) == (-1, 1)
    assert bootstrap_gap([1.0] * 9, [True] * 4 + [False] * 5) == (-1, 1)


def test_bootstrap_gap_knows_that_groups_vary_together() -> None:
    rng = np.random.default_rng(0)
    fate = np.repeat(rng.random(60) < 0.6, 4)
    mark = np.repeat(np.arange(60) < 25, 4)
    low, high = bootstrap_gap(fate, mark, [str(i // 4) for i in range(240)])
    once = bootstrap_gap(fate[::4], mark[::4])
    apart = bootstrap_gap(fate, mark)
    assert (low, high) == pytest.approx(once, abs=0.02)
    assert high - low > 1.8 * (apart[1] - apart[0])


def test_bootstrap_gap_is_scipys() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 4, 80) / 3, rng.integers(0, 2, 120).astype(float)

    def gap(x: object, y: object, axis: int) -> object:
        return np.mean(x, axis=axis) - np.mean(y, axis=axis)  # type: ignore[call-overload]

    expected = scipy_stats.bootstrap(
        (a, b), gap, method="percentile", n_resamples=10_000, rng=rng, paired=False
    ).confidence_interval
    marks = [True] * a.size + [False] * b.size
    found = bootstrap_gap(np.concatenate([a, b]), marks)
    assert found == pytest.approx((expected.low, expected.high), abs=0.012)


@pytest.mark.parametrize(("n", "p"), [(100, 0.6), (300, 0.85)])
def test_bootstrap_covers_at_the_level_it_claims(n: int, p: float) -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for seed in range(400):
        low, high = bootstrap_mean(rng.random(n) < p, rounds=1000, seed=seed)
        covered += low <= p <= high
    assert 0.91 <= covered / 400 <= 0.98


def test_bootstrap_is_seeded() -> None:
    x = np.random.default_rng(0).random(50)
    assert bootstrap_mean(x, seed=4) == bootstrap_mean(x, seed=4)
    assert bootstrap_mean(x, seed=4) != bootstrap_mean(x, seed=5)


def test_bootstrap_of_mirrored_pairs_is_a_point() -> None:
    assert bootstrap_mean([1.0, 0.0] * 20, [str(i // 2) for i in range(40)]) == (0.5, 0.5)
