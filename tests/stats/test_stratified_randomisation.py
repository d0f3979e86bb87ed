from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np
import pytest

from hansproof.stats import (
    grouped_randomisation_test,
    stratified_randomisation_test,
    two_sample_randomisation_test,
)
from hansproof.stats.stratified_randomisation import _drawn_p

ROUNDS = 50_000


def enumerate_p(x: np.ndarray, mask: np.ndarray, strata: np.ndarray) -> float:
    """Deal the labels of each stratum among its items, in every order."""
    blocks = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    sums = [
        sum(float(x[block] @ labels) for block, labels in zip(blocks, deal, strict=True))
        for deal in product(*(list(permutations(mask[block])) for block in blocks))
    ]
    distances = np.abs(np.array(sums) - np.mean(sums))
    return float((distances >= abs(float(x[mask].sum()) - np.mean(sums)) - 1e-9).mean())


@pytest.mark.parametrize("seed", range(8))
def test_exact_p_is_that_of_all_deals_within_strata(seed: int) -> None:
    """Strata of one to five items; scores of three runs, so that they are on a lattice."""
    rng = np.random.default_rng(seed)
    strata = np.repeat([0, 1, 2, 3], [1, 4, 5, 2])
    x, mask = rng.integers(0, 4, 12) / 3, rng.random(12) < 0.5
    result = stratified_randomisation_test(x, mask, strata.tolist(), [None] * 12)
    assert result.p == pytest.approx(enumerate_p(x, mask, strata), abs=1e-9)
    assert result.method == "exact"


def test_one_stratum_is_the_plain_test() -> None:
    x, mask = np.random.default_rng(0).integers(0, 4, 60) / 3, np.arange(60) < 20
    plain = two_sample_randomisation_test(x[mask], x[~mask])
    result = stratified_randomisation_test(x, mask, [0] * 60, [None] * 60)
    assert (result.difference, result.p) == pytest.approx((plain.difference, plain.p))
    groups = [str(i // 2) for i in range(60)]
    pairs = stratified_randomisation_test(x, mask, [0] * 60, groups, ROUNDS)
    assert pairs.p == grouped_randomisation_test(x, mask, groups, ROUNDS).p


def test_what_goes_with_the_strata_is_no_difference() -> None:
    """All of one stratum right, all of the other wrong, and most of the first marked."""
    strata = np.repeat([0, 1], 60)
    mask = np.concatenate([np.arange(60) < 45, np.arange(60) < 15])
    x = 1.0 - strata
    assert two_sample_randomisation_test(x[mask], x[~mask]).p < 1e-6
    result = stratified_randomisation_test(x, mask, strata.tolist(), [None] * 120)
    assert (result.difference, result.p) == (0.0, 1.0)


def test_strata_of_one_kind_of_label_say_nothing() -> None:
    x, strata = np.arange(20) % 3 / 2.0, np.repeat([0, 1], 10)
    result = stratified_randomisation_test(x, strata == 0, strata.tolist(), [None] * 20)
    assert (math.isnan(result.difference), result.p) == (True, 1.0)


def test_the_difference_is_the_weighted_mean_of_those_within_strata() -> None:
    rng = np.random.default_rng(3)
    strata, x, mask = rng.integers(0, 3, 90), rng.random(90), rng.random(90) < 0.4
    gaps, weights = [], []
    for stratum in range(3):
        own = strata == stratum
        n_first, n_second = (own & mask).sum(), (own & ~mask).sum()
        gaps.append(x[own & mask].mean() - x[own & ~mask].mean())
        weights.append(n_first * n_second / own.sum())
    result = stratified_randomisation_test(x, mask, strata.tolist(), [None] * 90, rounds=99)
    assert result.difference == pytest.approx(np.average(gaps, weights=weights))


def test_draws_agree_with_the_exact_p() -> None:
    rng = np.random.default_rng(5)
    strata, mask = rng.integers(0, 3, 150), rng.random(150) < 0.4
    x = (rng.random(150) < 0.4 + 0.15 * mask).astype(float)
    exact = stratified_randomisation_test(x, mask, strata.tolist(), [None] * 150)
    drawn = _drawn_p(x, mask, [np.flatnonzero(strata == s) for s in range(3)], ROUNDS, 1)
    assert abs(drawn - exact.p) <= 5 * math.sqrt(exact.p / ROUNDS)
    # scores that are on no lattice, close to these, have nearly the same p
    noisy = x + 1e-7 * rng.random(150)
    result = stratified_randomisation_test(noisy, mask, strata.tolist(), [None] * 150, ROUNDS)
    assert result.method == f"Monte Carlo, {ROUNDS} rounds"
    assert result.p == pytest.approx(exact.p, abs=0.1)


def test_pairs_exchange_their_patterns_only_with_pairs_of_the_same_strata() -> None:
    """Mirrored pairs, right at place 0; listed in either order they are the same kind of pair."""
    rng = np.random.default_rng(2)
    strata = np.array([0, 1, 1, 0] * 30)
    groups = [str(i // 2) for i in range(120)]
    x = 1.0 - strata
    mask = rng.random(120) < np.where(strata == 0, 0.8, 0.2)
    assert grouped_randomisation_test(x, mask, groups, ROUNDS).p < 0.001
    result = stratified_randomisation_test(x, mask, strata.tolist(), groups, ROUNDS)
    assert (result.difference, result.p) == pytest.approx((0, 1))
    assert result.method == f"Monte Carlo by groups, {ROUNDS} rounds"


def test_it_holds_its_level_and_sees_what_is_there() -> None:
    rng = np.random.default_rng(8)
    p_null: list[float] = []
    p_real: list[float] = []
    for _ in range(300):
        strata = rng.integers(0, 4, 120)
        mask = rng.random(120) < 0.2 + 0.2 * strata
        chance = 0.2 + 0.2 * strata  # both go with the strata
        for effect, values in ((0.0, p_null), (0.35, p_real)):
            x = (rng.random(120) < np.clip(chance - 0.15 + effect * mask, 0, 1)).astype(float)
            args = x, mask, strata.tolist(), [None] * 120
            values.append(stratified_randomisation_test(*args).p)
    assert np.mean(np.array(p_null) <= 0.05) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)
    assert np.mean(np.array(p_real) <= 0.05) >= 0.8
