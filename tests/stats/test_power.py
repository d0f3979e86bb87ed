from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.stats import (
    binomial_p,
    binomial_power,
    chi2_power,
    coverage_power,
    items_needed,
    normal_power,
    round_up,
)


@pytest.mark.parametrize(("chance", "expected"), [(0.5, 780), (0.25, 610)])
def test_five_points_need_that_many_items(chance: float, expected: int) -> None:
    needed = items_needed(lambda n: binomial_power(n, chance, 0.05))
    assert needed == pytest.approx(expected, rel=0.01)


@given(st.integers(5, 200), st.sampled_from([0.2, 0.25, 0.5]), st.floats(0.05, 0.4))
def test_the_power_is_the_probability_of_all_significant_outcomes(
    n: int, chance: float, lift: float
) -> None:
    hits = np.arange(n + 1)
    rejects = (binomial_p(hits, np.full(n + 1, n), chance) <= 0.05) & (hits > n * chance)
    simulated = np.random.default_rng(0).binomial(n, chance + lift, 20_000)
    assert float(binomial_power(n, chance, lift)) == pytest.approx(
        rejects[simulated].mean(), abs=0.02
    )


def test_more_items_mean_more_power_and_a_stricter_level_less() -> None:
    powers = binomial_power(np.array([100, 400, 1600, 6400]), 0.5, 0.05)
    assert (np.diff(powers) > 0).all()
    assert float(binomial_power(800, 0.5, 0.05, level=0.001)) < float(
        binomial_power(800, 0.5, 0.05)
    )


def test_one_item_sees_nothing() -> None:
    assert float(binomial_power(1, 0.5, 0.5)) == 0.0
    assert items_needed(lambda n: binomial_power(n, 0.5, 0.0)) is None


def test_chi_squared_with_one_degree_is_about_the_binomial_test() -> None:
    noncentrality = 785 * 0.05**2 / 0.25
    assert float(chi2_power(noncentrality, 1)) == pytest.approx(0.8, abs=0.002)
    assert normal_power(0.05 * 785, np.sqrt(785) / 2) == pytest.approx(0.8, abs=0.002)


def test_an_effect_without_noise_is_seen() -> None:
    assert normal_power(1.0, 0.0) == 1.0


def test_coverage_is_reached_as_often_as_a_binomial_count() -> None:
    counts = np.random.default_rng(0).binomial(300, 0.1, 50_000)
    assert float(coverage_power(300, 0.1, 25)) == pytest.approx((counts >= 25).mean(), abs=0.01)


@pytest.mark.parametrize(("n", "rounded"), [(7, 7), (93, 93), (786, 790), (1382, 1400)])
def test_numbers_of_items_are_rounded_up(n: int, rounded: int) -> None:
    assert round_up(n) == rounded
