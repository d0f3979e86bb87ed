"""The test of weighted hits, beside a list of all outcomes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.stats import weighted_hits, weighted_hits_p
from hansproof.stats.binomial import binomial_sf

ITEMS = st.lists(
    st.tuples(st.booleans(), st.sampled_from((1, 2, 3, 4)), st.sampled_from((4, 5))),
    min_size=1,
    max_size=9,
)


@settings(deadline=None)
@given(ITEMS)
def test_it_is_twice_the_smaller_tail_of_all_outcomes(items: list[tuple[bool, int, int]]) -> None:
    is_hit = np.array([hit for hit, _, _ in items])
    picks = np.array([t for _, t, _ in items])
    chances = picks / np.array([m for _, _, m in items])
    below = above = 0.0
    observed = sum(60 // t for hit, t, _ in items if hit)
    for outcome in product((False, True), repeat=len(items)):
        total = sum(60 // t for hit, t in zip(outcome, picks.tolist(), strict=True) if hit)
        probability = float(np.where(outcome, chances, 1 - chances).prod())
        below += probability * (total <= observed)
        above += probability * (total >= observed)
    expected = min(1.0, 2 * min(below, above))
    assert weighted_hits_p(is_hit, 1 / picks, chances) == pytest.approx(expected, abs=1e-12)


def test_equal_weights_are_a_binomial_test() -> None:
    is_hit = np.arange(40) < 18
    p = weighted_hits_p(is_hit, np.full(40, 0.5), np.full(40, 0.25))
    assert p == pytest.approx(2 * float(binomial_sf(18, 40, 0.25)))


def test_hits_with_few_picks_count_for_more_than_hits_with_many() -> None:
    # one of four choices picked and right every second time; three picked, at chance
    is_hit = np.r_[np.arange(40) % 2 == 0, np.arange(400) % 4 < 3]
    picks = np.r_[np.ones(40), np.full(400, 3.0)]
    assert weighted_hits_p(is_hit, 1 / picks, picks / 4) < 0.02
    assert weighted_hits_p(is_hit, np.ones(440), picks / 4) > 0.2  # the number of hits alone


def test_the_normal_approximation_takes_over_where_sums_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    picks = rng.integers(1, 4, 600)
    is_hit = rng.random(600) < picks / 4 + 0.02
    exact = weighted_hits_p(is_hit, 1 / picks, picks / 4)
    monkeypatch.setattr(weighted_hits, "MAX_SUMS", 1)
    assert weighted_hits_p(is_hit, 1 / picks, picks / 4) == pytest.approx(exact, rel=0.1)
    assert weighted_hits_p(np.ones(3, bool), np.ones(3), np.ones(3)) == 1.0


def test_p_is_even_under_the_null_hypothesis() -> None:
    rng = np.random.default_rng(1)
    picks = rng.integers(1, 4, 80)
    p = [weighted_hits_p(rng.random(80) < picks / 4, 1 / picks, picks / 4) for _ in range(400)]
    assert 0.02 < float(np.mean(np.array(p) <= 0.1)) < 0.15
