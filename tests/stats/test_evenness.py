from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare, multinomial

from hansproof.stats.evenness import check_evenness


def answers_of(counts: list[int]) -> list[int]:
    return [position for position, count in enumerate(counts) for _ in range(count)]


@given(st.integers(0, 60), st.integers(1, 60))
def test_two_positions_are_the_binomial_test(first: int, second: int) -> None:
    answers = answers_of([first, second])
    test = check_evenness(answers, [2] * len(answers), [None] * len(answers))
    assert test.p == pytest.approx(binomtest(first, first + second).pvalue)


@settings(deadline=None)
@given(st.lists(st.integers(0, 6), min_size=3, max_size=4).filter(sum))
def test_few_items_with_more_positions_are_enumerated(counts: list[int]) -> None:
    n, k = sum(counts), len(counts)
    answers = answers_of(counts)
    test = check_evenness(answers, [k] * n, [None] * n)
    outcomes = np.stack(np.meshgrid(*[np.arange(n + 1)] * k), axis=-1).reshape(-1, k)
    outcomes = outcomes[outcomes.sum(axis=1) == n]
    is_extreme = np.square(outcomes).sum(axis=1) >= np.square(counts).sum()
    p = multinomial.pmf(outcomes[is_extreme], n, [1 / k] * k).sum()
    assert test.p == pytest.approx(min(1.0, float(p)))


def test_many_items_are_tested_by_chi_squared() -> None:
    counts = [300, 240, 250, 280]
    test = check_evenness(answers_of(counts), [4] * sum(counts), [None] * sum(counts))
    expected = chisquare(counts)
    assert (test.statistic, test.p) == pytest.approx((expected.statistic, expected.pvalue))


def test_positions_of_rare_sizes_are_simulated() -> None:
    answers = [0, 1] * 30 + [2, 2, 2, 2]
    test = check_evenness(answers, [2] * 60 + [4] * 4, [None] * 64)
    assert 0.0001 <= test.p < 0.05  # four of four third choices


def test_groups_that_hold_every_answer_cannot_be_uneven() -> None:
    test = check_evenness([0, 1] * 20, [2] * 40, [str(i // 2) for i in range(40)])
    assert (test.df, test.p) == (0, 1.0)
    assert test.noncentrality(0.05) == math.inf


def test_groups_with_one_answer_are_units() -> None:
    """Groups of five equal answers: as uncertain as one item each."""
    answers = [0] * 35 + [1] * 15
    grouped = check_evenness(answers, [2] * 50, [str(i // 5) for i in range(50)])
    assert grouped.statistic == pytest.approx(chisquare([7, 3]).statistic)


@pytest.mark.parametrize(("k", "share"), [(2, 0.5), (4, 0.25)])
def test_the_noncentrality_is_that_of_one_more_frequent_position(k: int, share: float) -> None:
    n = 400
    test = check_evenness([i % k for i in range(n)], [k] * n, [None] * n)
    assert test.noncentrality(0.05) == pytest.approx(n * 0.05**2 / (share * (1 - share)))
