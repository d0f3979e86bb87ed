from __future__ import annotations

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from hansproof.stats import fleiss_interval, fleiss_kappa, krippendorff_alpha, majority_credit

# ratings of an item by up to five raters; None: not rated by this one
RATED = st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=2, max_size=20)
SOME = st.lists(
    st.lists(st.none() | st.integers(0, 2), min_size=5, max_size=5), min_size=2, max_size=20
)


def counted(ratings: list[list[int | None]]) -> list[list[int]]:
    return [[row.count(choice) for choice in range(3)] for row in ratings]


@given(RATED)
def test_kappa_is_statsmodels(ratings: list[list[int | None]]) -> None:
    counts = counted(ratings)
    if sum(any(row[j] for row in counts) for j in range(3)) < 2:
        assert math.isnan(fleiss_kappa(counts))
    else:
        assert fleiss_kappa(counts) == pytest.approx(statsmodels_kappa(np.array(counts)))


def test_kappa_of_fleiss_own_example() -> None:
    """Fleiss 1971, as in Wikipedia: 14 raters, 10 items, 5 categories."""
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip
    assert fleiss_kappa(counts) == pytest.approx(0.210, abs=5e-4)


@given(SOME)
def test_kappa_with_missing_ratings_by_pairs_of_raters(ratings: list[list[int | None]]) -> None:
    """Word for word: over pairs of raters that met on an item, not over counts."""
    seen = [[r for r in row if r is not None] for row in ratings]
    seen = [row for row in seen if len(row) >= 2]
    found = fleiss_kappa(counted(ratings))
    if not seen or len({r for row in seen for r in row}) < 2:
        assert math.isnan(found)
        return
    agree = [
        np.mean([row[i] == row[j] for i in range(len(row)) for j in range(len(row)) if i != j])
        for row in seen
    ]
    shares = [np.mean([row.count(choice) / len(row) for row in seen]) for choice in range(3)]
    chance = sum(share**2 for share in shares)
    assert found == pytest.approx((np.mean(agree) - chance) / (1 - chance))


@given(st.lists(st.integers(0, 2), min_size=2, max_size=30), st.integers(2, 5))
def test_perfect_agreement_is_one(choices: list[int], raters: int) -> None:
    counts = np.eye(3, dtype=int)[choices] * raters
    if len(set(choices)) > 1:
        assert fleiss_kappa(counts) == pytest.approx(1)
        assert krippendorff_alpha(counts) == pytest.approx(1)
        assert fleiss_interval(counts, rounds=50)[1] == pytest.approx(1)
        if len(choices) < 10:
            assert fleiss_interval(counts, rounds=50)[0] == -1
    else:
        assert math.isnan(fleiss_kappa(counts))
        assert math.isnan(krippendorff_alpha(counts))


def reliability(rows: list[str]) -> list[list[int]]:
    """Counts by unit, from one row of values for each observer; `*` is a missing value."""
    units = zip(*(row.split() for row in rows), strict=True)
    return [[unit.count(str(value)) for value in range(1, 6)] for unit in units]


@pytest.mark.parametrize(
    ("rows", "alpha"),
    [
        # Krippendorff 2011, "Computing Krippendorff's alpha-reliability": binary data by two
        # observers (section A; 0 and 1 written as 1 and 2), alpha = .095
        (["1 2 1 1 1 1 1 1 2 1", "2 2 2 1 1 2 1 1 1 1"], 0.095),
        # section B, nominal data by two observers (a to e written as 1 to 5), alpha = .692
        (["1 1 2 2 4 3 3 3 5 4 4 1", "2 1 2 2 2 3 3 3 5 4 4 4"], 0.692),
        # section C, four observers with missing values, alpha = .743
        (
            [
                "1 2 3 3 2 1 4 1 2 * * *",
                "1 2 3 3 2 2 4 1 2 5 * 3",
                "* 3 3 3 2 3 4 2 2 5 1 *",
                "1 2 3 3 2 4 4 1 2 5 1 *",
            ],
            0.743,
        ),
    ],
)
def test_alpha_of_krippendorff_own_examples(rows: list[str], alpha: float) -> None:
    assert krippendorff_alpha(reliability(rows)) == pytest.approx(alpha, abs=5e-4)


@given(SOME)
def test_alpha_is_that_of_the_package(ratings: list[list[int | None]]) -> None:
    """The package `krippendorff` is GPL-3, so only this test may use it."""
    counts = np.array(counted(ratings))
    pairable = counts[counts.sum(axis=1) >= 2]
    alpha = krippendorff_alpha(counts)
    if (pairable.sum(axis=0) > 0).sum() < 2:
        assert math.isnan(alpha)
    else:
        of_package = krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")
        assert alpha == pytest.approx(of_package)


def test_random_ratings_agree_by_chance_only() -> None:
    rng = np.random.default_rng(0)
    covered = 0
    for seed in range(100):
        counts = np.array([np.bincount(row, minlength=2) for row in rng.integers(0, 2, (80, 3))])
        low, high = fleiss_interval(counts, rounds=400, seed=seed)
        covered += low <= 0 <= high
    assert 0.88 <= covered / 100 <= 1


def test_the_vote_shares_a_tie_and_skips_the_unrated() -> None:
    earned = majority_credit([[3, 0], [1, 2], [1, 1], [0, 0]], [0, 0, 1, 0])
    assert earned[:3].tolist() == [1, 0, 0.5]
    assert math.isnan(earned[3])
