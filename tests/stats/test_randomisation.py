"""Against full enumeration, scipy and the hypergeometric distribution."""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom, kstest, permutation_test

from hansproof.stats import _exact_sums, paired_randomisation_test, two_sample_randomisation_test
from hansproof.stats.randomisation import Alternative

SIDES = st.sampled_from(["two", "greater", "less"])
SEEDS = st.integers(1, 4)
HITS = st.lists(st.integers(0, 4), min_size=1, max_size=6)


def reached(value: int, seen: int, sided: Alternative) -> bool:
    if sided == "two":
        return abs(value) >= abs(seen)
    return value >= seen if sided == "greater" else value <= seen


def enumerated_deals(a: list[int], b: list[int], sided: Alternative) -> float:
    both, n1 = a + b, len(a)
    centre = n1 * sum(both)
    deals = [
        len(both) * sum(both[i] for i in chosen) - centre
        for chosen in combinations(range(len(both)), n1)
    ]
    seen = len(both) * sum(a) - centre
    return sum(reached(deal, seen, sided) for deal in deals) / len(deals)


def enumerated_swaps(d: list[int], sided: Alternative) -> float:
    sums = [
        sum(s * x for s, x in zip(signs, d, strict=True))
        for signs in product((1, -1), repeat=len(d))
    ]
    return sum(reached(one, sum(d), sided) for one in sums) / len(sums)


@given(HITS, HITS, SEEDS, SIDES)
def test_the_exact_p_between_items_is_that_of_all_deals(
    a: list[int], b: list[int], seeds: int, sided: Alternative
) -> None:
    found = two_sample_randomisation_test(np.array(a) / seeds, np.array(b) / seeds, sided)
    assert found.method == "exact"
    assert found.p == pytest.approx(enumerated_deals(a, b, sided), rel=1e-9)
    assert found.difference == pytest.approx((np.mean(a) - np.mean(b)) / seeds)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9), SIDES)
def test_the_exact_p_between_systems_is_that_of_all_swaps(
    pairs: list[tuple[int, int]], sided: Alternative
) -> None:
    one, other = np.array(pairs).T / 4
    found = paired_randomisation_test(one, other, alternative=sided)
    assert found.method == "exact"
    assert found.p == pytest.approx(enumerated_swaps([a - b for a, b in pairs], sided), rel=1e-9)


def test_a_group_is_swapped_as_one() -> None:
    one, other = np.array([1, 1, 0, 1, 1, 1.0]), np.array([0, 0, 0, 0, 0, 1.0])
    groups = ["a", "a", "b", "b", None, None]
    assert paired_randomisation_test(one, other, groups).p == pytest.approx(
        enumerated_swaps([2, 1, 1, 0], "two")
    )


@given(st.integers(1, 400), st.integers(1, 400), st.data())
def test_for_right_or_wrong_it_is_the_hypergeometric(n1: int, n2: int, data: st.DataObject) -> None:
    a, b = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n2))
    first, second = np.arange(n1) < a, np.arange(n2) < b
    found = two_sample_randomisation_test(first, second, alternative="greater").p
    assert found == pytest.approx(hypergeom.sf(a - 1, n1 + n2, a + b, n1), rel=1e-8, abs=1e-290)


@settings(max_examples=20)
@given(HITS, HITS, SIDES)
def test_monte_carlo_agrees_with_the_exact_p(
    a: list[int], b: list[int], sided: Alternative
) -> None:
    first, second = np.array(a) / 4, np.array(b) / 4
    exact = two_sample_randomisation_test(first, second, sided).p
    drawn = two_sample_randomisation_test(first, second, sided, rounds=20_000, exact=False)
    assert drawn.method == "Monte Carlo, 20000 rounds"
    assert abs(drawn.p - exact) <= 5 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4


@settings(max_examples=20)
@given(st.lists(st.integers(-999, 999).map(lambda k: k / 777), min_size=2, max_size=10), SIDES)
def test_random_swaps_agree_with_all_swaps(d: list[float], sided: Alternative) -> None:
    sums = np.array([np.dot(signs, d) for signs in product((1, -1), repeat=len(d))])
    seen, slack = sum(d), 1e-9
    far = {
        "two": np.abs(sums) >= abs(seen) - slack,
        "greater": sums >= seen - slack,
        "less": sums <= seen + slack,
    }[sided]
    exact = float(far.mean())
    drawn = paired_randomisation_test(
        d, [0.0] * len(d), alternative=sided, rounds=20_000, exact=False
    ).p
    assert abs(drawn - exact) <= 5 * math.sqrt(exact * (1 - exact) / 20_000) + 1e-4


def test_real_scores_agree_with_scipy() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.random(60) + 0.05, rng.random(90)
    found = two_sample_randomisation_test(a, b, rounds=100_000, seed=1)
    expected = permutation_test(
        (a, b), lambda x, y, axis: np.mean(x, axis) - np.mean(y, axis), vectorized=True,
        n_resamples=20_000, rng=rng,
    ).pvalue  # fmt: skip
    assert found.method == "Monte Carlo, 100000 rounds"
    assert found.p == pytest.approx(expected, abs=4 * math.sqrt(found.p / 20_000))


def test_of_two_equal_groups_p_is_uniform() -> None:
    x = np.random.default_rng(5).random((500, 40))
    drawn = [
        two_sample_randomisation_test(r[:20], r[20:], rounds=999, seed=i).p for i, r in enumerate(x)
    ]
    assert kstest(drawn, "uniform").pvalue > 0.01


@pytest.mark.slow
def test_of_two_equal_groups_the_exact_p_holds_its_level() -> None:
    x = np.random.default_rng(6).integers(0, 4, (1000, 200)) / 3
    p = np.array([two_sample_randomisation_test(row[:100], row[100:]).p for row in x])
    for level in (0.01, 0.05, 0.2, 0.5):
        spread = 3 * math.sqrt(level / 1000)
        # on a lattice p is coarse, so below the level rather than at it
        assert 0.8 * level - spread <= np.mean(p <= level) <= level + spread


@given(st.integers(1, 8), st.integers(1, 30))
def test_the_larger_set_may_come_first(few: int, many: int) -> None:
    x = np.random.default_rng(few * 100 + many).random(few + many)
    here = two_sample_randomisation_test(x[:few], x[few:], "greater", rounds=2000).p
    there = two_sample_randomisation_test(x[few:], x[:few], "less", rounds=2000).p
    assert here == pytest.approx(there, abs=5 * math.sqrt(0.5 / 2000))


def test_it_is_seeded() -> None:
    x = np.random.default_rng(0).random(100)
    p = [
        two_sample_randomisation_test(x[:40], x[40:], rounds=1000, seed=seed).p
        for seed in (1, 1, 2)
    ]
    assert p[0] == p[1] != p[2]


@given(st.integers(2, 6), st.integers(20, 200), st.integers(0, 9))
def test_the_transform_agrees_with_the_table(seeds: int, n: int, seed: int) -> None:
    x = np.random.default_rng(seed).integers(0, seeds + 1, n)
    n1 = n // 3
    shifts, sizes = np.unique(x, return_counts=True)
    rest, others = int(sizes[0]), (shifts[1:] - shifts[0], sizes[1:])
    tables = (
        _exact_sums._tabulate_sums(*others, rest, n1),
        _exact_sums._fourier_sums(*others, rest, n1),
    )
    weights = []
    for found in tables:
        assert found is not None
        sums, mass, _ = found
        weights.append(dict(zip(sums.tolist(), (mass / mass.sum()).tolist(), strict=True)))
    for outcome, mass in weights[0].items():
        assert weights[1].get(outcome, 0.0) == pytest.approx(mass, abs=1e-13)


def test_many_items_have_an_exact_p_too() -> None:
    """Twenty thousand items, three seeds: against draws."""
    x = np.random.default_rng(0).binomial(3, 0.7, 20_000) / 3
    x[:7000] += np.random.default_rng(1).random(7000) < 0.006
    found = two_sample_randomisation_test(x[:7000], x[7000:])
    assert found.method == "exact to 1e-12"
    drawn = two_sample_randomisation_test(x[:7000], x[7000:], rounds=5000, exact=False)
    assert 0.001 < found.p < 0.9
    assert abs(drawn.p - found.p) <= 4 * math.sqrt(found.p * (1 - found.p) / 5000) + 1 / 5000


def test_a_p_below_what_the_transform_can_tell_is_its_least() -> None:
    x = np.random.default_rng(0).binomial(3, 0.5, 20_000) / 3
    x[:7000] = np.maximum(x[:7000], 2 / 3)
    assert two_sample_randomisation_test(x[:7000], x[7000:]).p == 1e-12


def test_what_would_take_too_long_is_drawn_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_exact_sums, "MAX_ADDITIONS", 10)
    monkeypatch.setattr(_exact_sums, "MAX_TERMS", 10)
    found = two_sample_randomisation_test([0, 1 / 3, 2 / 3], [1.0, 1 / 3], rounds=100)
    assert found.method == "Monte Carlo, 100 rounds"


@pytest.mark.parametrize(("n", "seeds"), [(100_000, 20), (20_000, 60)])
def test_few_of_many_items_are_dealt_exactly(n: int, seeds: int) -> None:
    """Rare low scores make the sum lopsided: by counting over ten items at most."""
    rng = np.random.default_rng(n)
    x = np.where(rng.random(n) < 0.995, seeds, rng.integers(0, seeds, n))
    x[:10] = seeds
    x[0] = seeds // 3
    ways = np.zeros((11, 10 * seeds + 1))  # items dealt, what they lack; as log-free ratios
    ways[0, 0] = 1.0
    values, counts = np.unique(seeds - x, return_counts=True)
    for lack, count in zip(values.tolist(), counts.tolist(), strict=True):
        if lack:
            grown = ways.copy()
            chosen = 1.0
            for k in range(1, 11):
                chosen *= (count - k + 1) / k
                grown[k:, k * lack :] += chosen * ways[: 11 - k, : 10 * seeds + 1 - k * lack]
            ways = grown
    full = int((x == seeds).sum())
    closing = [math.comb(full, 10 - k) for k in range(11)]
    mass = np.array([float(c) for c in closing]) @ ways / float(math.comb(n, 10))
    total = int((seeds - x).sum())
    away = np.abs(n * np.arange(mass.size) - 10 * total)
    seen = abs(n * int((seeds - x[:10]).sum()) - 10 * total)
    assert mass.sum() == pytest.approx(1)
    found = two_sample_randomisation_test(x[:10] / seeds, x[10:] / seeds)
    assert found.p == pytest.approx(float(mass[away >= seen].sum()), rel=1e-6)
    turned = two_sample_randomisation_test(x[10:] / seeds, x[:10] / seeds)  # the larger set first
    assert turned.p == pytest.approx(found.p, rel=1e-9)


def test_what_was_seen_is_possible() -> None:
    assert paired_randomisation_test([1.0] * 140, [0.0] * 140).p == pytest.approx(2.0**-139)
    found = two_sample_randomisation_test([1.0] * 500, [0.0] * 500).p
    assert found == pytest.approx(2 / math.comb(1000, 500), rel=1e-9)
    assert 0 < paired_randomisation_test([1.0] * 5000, [0.0] * 5000).p < 1e-200


def test_scores_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        two_sample_randomisation_test([1.0, math.nan], [0.0])
    with pytest.raises(ValueError, match="finite"):
        paired_randomisation_test([1.0], [math.inf])


@pytest.mark.parametrize("scale", [1e-10, 1.0, 1e18, 1e300])
def test_scores_of_any_size(scale: float) -> None:
    first, second = np.array([3, 3, 2, 3, 3]) * scale, np.array([0, 1, 0, 0, 1]) * scale
    exact = two_sample_randomisation_test(first / scale, second / scale).p
    assert two_sample_randomisation_test(first, second, rounds=20_000).p == pytest.approx(
        exact, abs=0.005
    )
    assert paired_randomisation_test(first, second, rounds=20_000).p == pytest.approx(
        1 / 16, abs=0.01
    )


def test_a_seed_may_be_any_number() -> None:
    x = np.random.default_rng(0).random(30)
    assert two_sample_randomisation_test(x[:10], x[10:], rounds=50, seed=2**70).p > 0


def test_nothing_differs_from_nothing() -> None:
    assert two_sample_randomisation_test([1.0], []).p == 1
    assert paired_randomisation_test([], []).p == 1
    assert paired_randomisation_test([1.0, 0.0], [1.0, 0.0]).p == 1
