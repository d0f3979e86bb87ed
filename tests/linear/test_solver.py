"""The linear ranker against another optimiser, and at its edges."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from hansproof.linear import solver
from hansproof.linear.solver import Floats, Ints
from hansproof.types import Item

Made = tuple[Floats, Ints, Ints]


def made(seed: int, sizes: list[int], width: int, spread: float = 1.0) -> Made:
    """Random rows and answers; an item of one choice may be right or wrong."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(scale=spread, size=(sum(sizes), width))
    first = np.cumsum([0, *sizes])
    answers = [rng.integers(m) if m > 1 else rng.integers(2) - 1 for m in sizes]
    return rows, first, np.array(answers)


def loss(solution: Floats, problem: Made, penalty: float) -> float:
    """As the definition reads, item by item."""
    rows, first, answers = problem
    weights, bias = solution[:-1], solution[-1]
    total = penalty / 2 * weights @ weights + solver._BIAS_PENALTY / 2 * bias**2
    for i, answer in enumerate(answers):
        scores = rows[first[i] : first[i + 1]] @ weights
        if len(scores) == 1:
            sign = 1 if answer == 0 else -1
            total += np.logaddexp(0, -sign * (scores[0] + bias))
        else:
            total += np.logaddexp.reduce(scores) - scores[answer]
    return float(total)


mixed_sizes = st.lists(st.integers(1, 5), min_size=1, max_size=25)
equal_sizes = st.builds(lambda m, n: [m] * n, st.integers(1, 5), st.integers(1, 25))
sizes = mixed_sizes | equal_sizes  # the sums of equal ones are computed otherwise


@given(st.integers(0, 2**32), sizes, st.integers(1, 4), st.sampled_from([0.01, 1.0, 30.0]))
def test_no_other_optimiser_finds_better(
    seed: int, sizes: list[int], width: int, penalty: float
) -> None:
    problem = made(seed, sizes, width)
    weights, bias = solver.fit_weights(*problem, penalty)
    mine = np.append(weights, bias)
    theirs = optimize.minimize(loss, mine * 0, (problem, penalty), tol=1e-10)
    assert loss(mine, problem, penalty) <= theirs.fun + 1e-9
    if penalty >= 1:  # with less to hold the weights, they stop early
        assert weights == pytest.approx(theirs.x[:-1], abs=2e-3)


@given(st.integers(0, 2**32), sizes, st.sampled_from([1e-6, 1e-2, 1.0]))
@settings(max_examples=50)
def test_the_gradient_is_nil_at_the_solution(seed: int, sizes: list[int], penalty: float) -> None:
    problem = made(seed, sizes, 3)
    mine = np.append(*solver.fit_weights(*problem, penalty))
    held = solver._build_loss(*problem, penalty)
    shares = held.probabilities(held.row_scores(mine))
    assert np.abs(held.gradient(mine, shares)).max() < 1e-7


def test_derivatives_are_those_of_the_loss() -> None:
    problem = made(1, [1, 3, 1, 2, 5], 3)
    held = solver._build_loss(*problem, 0.7)
    at = np.array([0.3, -0.2, 0.5, 0.1])
    shares = held.probabilities(held.row_scores(at))
    assert held.loss(at, held.row_scores(at)) == pytest.approx(loss(at, problem, 0.7))
    slope = optimize.approx_fprime(at, loss, 1e-7, problem, 0.7)
    assert held.gradient(at, shares) == pytest.approx(slope, abs=1e-5)
    for k in range(4):
        there = at.copy()
        there[k] += 1e-6
        further = held.gradient(there, held.probabilities(held.row_scores(there)))
        bend = (further - held.gradient(at, shares)) / 1e-6
        assert held.hessian(shares)[k] == pytest.approx(bend, abs=1e-4)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = made(2, [2, 5, 1, 3] * 20, 4)
    whole = solver.fit_weights(*problem, 1.0)
    monkeypatch.setattr(solver, "_BLOCK", 4)  # less than the choices of one item
    weights, bias = solver.fit_weights(*problem, 1.0)
    assert weights == pytest.approx(whole[0], abs=1e-10)
    assert bias == pytest.approx(whole[1], abs=1e-10)
    assert (solver.score_rows(problem[0], weights, bias)).shape == (220,)


@pytest.mark.parametrize("penalty", [1e-9, 1e-3, 1.0])
@pytest.mark.parametrize("size", [1, 2, 4])
def test_what_can_be_told_apart_stays_finite(size: int, penalty: float) -> None:
    rows = np.zeros((40 * size, 2))
    first = np.arange(41) * size
    rows[first[:-1], 0] = 1000.0 * np.where(np.arange(40) % 2, 1, -1 if size == 1 else 1)
    answers = np.where(np.arange(40) % 2, 0, -1 if size == 1 else 0)
    weights, bias = solver.fit_weights(rows, first, answers, penalty)
    assert np.isfinite(weights).all()
    assert weights[0] > 0
    assert abs(bias) < 1


def test_where_all_are_right_the_bias_stays_finite() -> None:
    rows = np.random.default_rng(0).normal(size=(30, 2))
    weights, bias = solver.fit_weights(rows, np.arange(31), np.zeros(30, np.int64), 1.0)
    assert 5 < bias < 50
    assert np.abs(weights).max() < 1e-3


def test_columns_that_tell_nothing_get_no_weight() -> None:
    rows, first, answers = made(3, [2, 3, 4, 5] * 10, 2)
    constant = np.column_stack([rows, np.full(len(rows), 7.0), np.zeros(len(rows))])
    weights, bias = solver.fit_weights(constant, first, answers, 0.1)
    assert weights[2:] == pytest.approx([0, 0], abs=1e-9)
    assert weights[:2] == pytest.approx(solver.fit_weights(rows, first, answers, 0.1)[0], abs=1e-8)
    assert bias == 0


def test_equal_rows_get_equal_scores_to_the_last_bit() -> None:
    rng = np.random.default_rng(4)
    row, weights = rng.normal(size=1001), rng.normal(size=1001)
    assert len(set(solver.score_rows(np.tile(row, (5001, 1)), weights, 0.3).tolist())) == 1
    assert solver.score_rows(np.empty((0, 3)), np.ones(3), 1.0).shape == (0,)


def test_a_planted_direction_is_found() -> None:
    rows, first, _ = made(5, [2, 3, 5] * 400, 6)
    truth = np.array([2.0, -1.0, 0.5, 0.0, 0.0, 1.0])
    noise = np.random.default_rng(6).gumbel(size=len(rows))
    scores = rows @ truth + noise  # picks by softmax
    answers = np.array([scores[a:b].argmax() for a, b in pairwise(first)])
    weights, _ = solver.fit_weights(rows, first, answers, 0.01)
    assert weights == pytest.approx(truth, abs=0.25)


def test_items_are_laid_out_as_rows_and_back() -> None:
    items = (
        Item("0", {}, ("a", "b", "c"), 2),
        Item("1", {}, ("d",), 0),
        Item("2", {}, ("e",), None),
    )
    first, answers = solver.choice_layout(items)
    assert first.tolist() == [0, 3, 4, 5]
    assert answers.tolist() == [2, 0, -1]
    back = solver.group_by_item(items, np.array([0.1, 0.2, 0.3, 0.4, 0.5]))
    assert back == [(0.1, 0.2, 0.3), (0.4,), (0.5,)]
