"""The test of sums that are drawn, beside a list of all sums."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.stats import drawn_sum_p, drawn_sums
from hansproof.stats.binomial import binomial_sf

VALUES = st.sampled_from([0, 1, Fraction(1, 2), Fraction(1, 3), 2, Fraction(5, 2)])
LISTS = st.lists(st.lists(VALUES, min_size=1, max_size=4), max_size=6)


def all_sums(lists: list[list[Fraction]]) -> list[Fraction]:
    return [sum(values, Fraction(0)) for values in product(*lists)]


@settings(max_examples=200, deadline=None)
@given(LISTS)
def test_p_is_the_share_of_all_sums_that_are_as_large(lists: list[list[Fraction]]) -> None:
    observed = sum((values[0] for values in lists), Fraction(0))
    sums = all_sums(lists)
    expected = sum(total >= observed for total in sums) / len(sums)
    assert drawn_sum_p([np.array(values, float) for values in lists]) == pytest.approx(expected)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=3), min_size=1, max_size=5))
def test_p_of_any_numbers_is_valid(lists: list[list[float]]) -> None:
    """Numbers on no common lattice are rounded: the sum is another one, but its p is as valid."""
    p = [
        drawn_sum_p([np.array([values[k], *values[:k], *values[k + 1 :]])
                     for values, k in zip(lists, first, strict=True)])
        for first in product(*(range(len(values)) for values in lists))
    ]  # fmt: skip
    assert len(p) == prod(map(len, lists))
    for level in p:
        assert np.mean(np.array(p) <= level + 1e-12) <= level + 1e-9


@pytest.mark.parametrize(
    ("m", "hits", "n"),
    [(2, 30, 40), (4, 30, 100), (5, 600, 2500), (2, 2600, 5000), (4, 60, 60), (2, 0, 9)],
)
def test_single_items_are_a_binomial_test(m: int, hits: int, n: int) -> None:
    right, wrong = np.eye(m)[0], np.eye(m)[1]
    p = drawn_sum_p([right] * hits + [wrong] * (n - hits))
    assert p == pytest.approx(float(binomial_sf(hits, n, 1 / m)), rel=1e-9)


def test_many_items_with_many_kinds_of_ties_are_quick() -> None:
    rng = np.random.default_rng(0)
    lists = []
    for size in rng.integers(1, 6, 2500):  # so many of five choices tie
        tied = np.arange(5) < size
        lists.append(rng.permutation(tied / size))
    p = drawn_sum_p(lists)
    rows, values = np.arange(2500), np.array(lists)
    draws = np.array([values[rows, rng.integers(5, size=2500)].sum() for _ in range(1000)])
    share = float((draws >= sum(row[0] for row in lists) - 1e-9).mean())
    assert p == pytest.approx(share, abs=0.06)


def test_values_are_rounded_where_sums_would_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    lists = [rng.permutation(np.array([1 / 7, 6 / 7, 1 / 11])) for _ in range(100)]
    exact = drawn_sum_p(lists)
    monkeypatch.setattr(drawn_sums, "MAX_SUMS", 1000)
    assert drawn_sum_p(lists) == pytest.approx(exact, abs=0.02)
    assert drawn_sum_p(lists) != exact


def test_groups_that_cannot_differ_say_nothing() -> None:
    assert drawn_sum_p([]) == 1.0
    assert drawn_sum_p([np.array([1.0])] * 9) == 1.0
    assert drawn_sum_p([np.array([1.0, 1.0])] * 9 + [np.array([0.0, 1.0])]) == 1.0
    assert drawn_sum_p([np.array([1.0, 1.0])] * 9 + [np.array([1.0, 0.0])]) == 0.5


def test_a_group_counts_as_often_as_it_is_there() -> None:
    pair = np.array([2.0, 0.0])  # two copies, right together
    assert drawn_sum_p([pair] * 5) == pytest.approx(0.5**5)
