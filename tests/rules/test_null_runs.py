"""The whole search repeated on permuted answers."""

from __future__ import annotations

import math
import os
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.cues.counts import answer_array
from hansproof.cues.permutation import build_rotations
from hansproof.rules import null_runs
from hansproof.rules.climb import build_blocks
from hansproof.rules.columns import FeatureColumns
from hansproof.rules.confirm import prepare_search
from hansproof.rules.null_runs import ENOUGH_EXCEEDED, NullRuns, rank_p, rule_statistic, run_null
from hansproof.rules.pick_tests import make_tester
from hansproof.stats import assign_folds
from hansproof.training.leakage_groups import find_leakage_groups

from ..support.rule_factories import WORD, random_items

NUMBERS = st.lists(st.sampled_from([-math.inf, 0.0, 1.0, 1.5]), min_size=1, max_size=30)


@given(NUMBERS, st.sampled_from([0.0, 1.0, 2.0]))
def test_p_is_the_rank_among_all_answers(null: list[float], value: float) -> None:
    p = rank_p(value, np.array(null), planned=len(null))
    everything = [*null, value]
    assert p == pytest.approx(sum(v >= value for v in everything) / len(everything))


def test_after_an_early_stop_the_last_permutation_counts_instead_of_the_real_answers() -> None:
    null = np.array([0.0, 2.0] * ENOUGH_EXCEEDED)
    assert rank_p(1.0, null, planned=99) == 0.5
    assert rank_p(1.0, null, planned=10) == 6 / 11


def test_a_value_that_few_permutations_reach_did_not_stop_the_search() -> None:
    assert rank_p(1.0, np.array([0.0, 2.0, 0.0, 0.0]), planned=99) == 2 / 5
    assert rank_p(3.0, np.array([0.0, 2.0, 0.0, 0.0]), planned=99) == 1 / 5


def test_a_smaller_p_is_a_larger_statistic() -> None:
    p = [0.0, 1e-310, 1e-200, 0.01, 0.5, 0.99, 1.0]
    values = [*map(rule_statistic, p)]
    assert values == sorted(values, reverse=True)
    assert math.isfinite(values[0])
    assert values[-1] == -math.inf
    assert rule_statistic(0.05) == pytest.approx(1.6449, abs=1e-4)


def test_the_largest_statistic_is_of_rungs_and_rules() -> None:
    runs = NullRuns(np.array([[1.0, 2.0], [0.0, -1.0]]), np.array([-math.inf, 3.0]), 2)
    assert runs.largest.tolist() == [2.0, 3.0]


Run = Callable[..., NullRuns]


@pytest.fixture(scope="module")
def run() -> Run:
    """Runs on 20 columns of permuted answers, given the largest real statistic."""
    items = random_items(1, 50, (2, 3), copies=0.2)
    layout, blocks = build_blocks(items, WORD)
    groups = find_leakage_groups(items)
    rotations = build_rotations(items, groups)
    search = prepare_search(
        FeatureColumns(blocks, layout), make_tester(layout, rotations), assign_folds(groups, 2, 0)
    )
    rng = np.random.default_rng(0)
    n_groups = int(rotations.group.max()) + 1
    permuted = np.stack(
        [
            answer_array(items),
            *(rotations.rotate(rng.integers(0, 60, n_groups)) for _ in range(19)),
        ],
        axis=1,
    )
    folds = (assign_folds(groups, 3, 0), 3)
    return lambda observed, n=20: run_null(blocks, search, folds, permuted[:, :n], 0.05, observed)


def test_each_permutation_has_a_statistic_of_its_own(run: Run) -> None:
    whole = run(math.inf)
    assert whole.rungs.shape[0] == whole.rules.size == whole.planned == 20
    for n in (1, 4, 7):  # however many are computed together
        part = run(math.inf, n)
        np.testing.assert_array_equal(part.rungs, whole.rungs[:n])
        np.testing.assert_array_equal(part.rules, whole.rules[:n])
    assert np.unique(whole.rungs, axis=0).shape[0] > 10


def test_it_stops_once_enough_permutations_reach_the_real_statistic(run: Run) -> None:
    whole = run(math.inf)
    enough = null_runs.ENOUGH_EXCEEDED
    for observed in np.sort(whole.largest)[[0, 6, -enough, -1]]:
        reached = np.flatnonzero(whole.largest >= observed)
        size = reached[enough - 1] + 1 if reached.size >= enough else 20
        stopped = run(float(observed))
        assert stopped.planned == 20
        np.testing.assert_array_equal(stopped.rungs, whole.rungs[:size])
        np.testing.assert_array_equal(stopped.rules, whole.rules[:size])


def test_threads_change_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for n_threads in (1, 7):
        monkeypatch.setattr(os, "cpu_count", lambda n=n_threads: n)
        results.append(run(math.inf))
    np.testing.assert_array_equal(results[0].rungs, results[1].rungs)
    np.testing.assert_array_equal(results[0].rules, results[1].rules)


def test_a_p_with_early_stops_is_valid() -> None:
    """If the real answers are like the others, a small p is as rare as it says."""
    rng = np.random.default_rng(0)
    p = []
    for _ in range(3000):
        observed, null = rng.normal(), rng.normal(size=39)
        reached = np.flatnonzero(null >= observed)
        enough = null_runs.ENOUGH_EXCEEDED
        size = reached[enough - 1] + 1 if reached.size >= enough else 39
        p.append(rank_p(observed, null[:size], 39))
    for level in (0.025, 0.05, 0.1, 0.2, 0.5):
        spread = math.sqrt(level * (1 - level) / 3000)
        assert np.mean(np.array(p) <= level) <= level + 3 * spread
