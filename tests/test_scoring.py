from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.edits.aflite.rankers import ChoiceDifferences
from hansproof.errors import ModelError
from hansproof.linear.ranker import lane_credits
from hansproof.scoring import (
    baseline_credits,
    chance_accuracy,
    chance_credits,
    chance_level,
    check_scores,
    compute_metrics,
    expected_credit,
    include_chance,
    is_tied,
    mean_accuracy,
)
from hansproof.stats.agreement import majority_credit
from hansproof.types import Benchmark, Estimate, Item, NoAnswer, Predictions

SCORES = st.lists(st.integers(-3, 3), min_size=1, max_size=6)


@given(SCORES, st.data())
def test_it_is_the_mean_over_all_ways_to_break_the_tie(
    scores: list[int], data: st.DataObject
) -> None:
    answer = data.draw(st.integers(0, len(scores) - 1))
    winners = [i for i, score in enumerate(scores) if score == max(scores)]
    expected = Fraction(sum(i == answer for i in winners), len(winners))
    assert expected_credit([float(s) for s in scores], answer) == pytest.approx(float(expected))
    assert is_tied([float(s) for s in scores]) == (len(winners) > 1)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6).filter(any), st.data())
def test_the_versions_for_arrays_give_the_same_credit(
    scores: list[int], data: st.DataObject
) -> None:
    answer = data.draw(st.integers(0, len(scores) - 1))
    credit = expected_credit([float(score) for score in scores], answer)
    column, sizes = np.array(scores, float)[:, None], np.array([len(scores)])
    lanes = lane_credits(np.array([0, len(scores)]), column, np.array([[answer]]))
    differences = ChoiceDifferences.from_features(column, sizes, np.array([answer]))
    by_rankers = differences.item_credit(np.ones((1, 1), np.float32))
    votes = majority_credit(np.array([scores]), [answer])
    assert [lanes.item(), by_rankers.item(), votes.item()] == pytest.approx([credit] * 3)


@given(SCORES, st.data())
def test_shuffling_choices_with_their_scores_changes_nothing(
    scores: list[int], data: st.DataObject
) -> None:
    answer = data.draw(st.integers(0, len(scores) - 1))
    order = data.draw(st.permutations(range(len(scores))))
    shuffled = [float(scores[i]) for i in order]
    assert expected_credit(shuffled, order.index(answer)) == expected_credit(
        [float(s) for s in scores], answer
    )


@given(SCORES)
def test_over_all_answers_an_item_earns_one(scores: list[int]) -> None:
    values = [float(score) for score in scores]
    assert sum(expected_credit(values, a) for a in range(len(values))) == pytest.approx(1)


def test_no_choice_ahead_is_worth_a_guess() -> None:
    assert expected_credit([0.0, 0.0, 0.0, 0.0], 2) == 0.25


ITEMS = tuple(
    Item(str(n), {"q": "?"}, tuple("abcde"[:size]), answer)
    for n, (size, answer) in enumerate([(2, 0), (3, 2), (5, 0), (2, 1)])
)


def test_chance_is_a_guess_among_the_choices_of_each_item() -> None:
    assert chance_credits(ITEMS).tolist() == [1 / 2, 1 / 3, 1 / 5, 1 / 2]
    expected = float(sum(Fraction(1, len(item.choices)) for item in ITEMS) / len(ITEMS))
    assert chance_accuracy(ITEMS) == pytest.approx(expected, abs=1e-15)
    assert chance_level(ITEMS) == pytest.approx(expected, abs=1e-15)


def test_a_model_that_guesses_has_the_accuracy_of_chance() -> None:
    rows = [(0.0,) * len(item.choices) for item in ITEMS]
    assert mean_accuracy(rows, ITEMS) == chance_accuracy(ITEMS)


def test_the_majority_label_comes_from_the_training_split_where_it_has_labels() -> None:
    train = tuple(Item(f"t{n}", {"q": "?"}, ("a", "b"), 1) for n in range(3))
    unlabelled = tuple(Item(item.id, item.fields, item.choices, None) for item in train)
    for split, credits in ((train, [0, 0, 0, 1]), (unlabelled, [1, 0, 1, 0])):
        benchmark = Benchmark("b", {"train": split, "test": ITEMS}, {"train": "train"})
        assert baseline_credits(benchmark, "test", ITEMS)["majority"].tolist() == credits


@pytest.mark.parametrize("rows", [[(1, 2)], [(1, 2), (1, 2, 3), (1,), (1, 2)], ["ab"] * 4])
def test_scores_of_another_shape_are_refused(rows: list[object]) -> None:
    with pytest.raises(ModelError, match=r"^m: (returned|did not return) .* on test$"):
        check_scores(rows, ITEMS, "m", " on test")


def test_an_interval_can_be_widened_to_chance() -> None:
    above, below = Estimate("a", 0.6, 0.55, 0.65, 9, 0.5), Estimate("b", 0.4, 0.35, 0.45, 9, 0.5)
    assert include_chance(above) == replace(above, low=0.5)
    assert include_chance(below) == replace(below, high=0.5)
    assert include_chance(replace(above, low=0.4)) == replace(above, low=0.4)
    for bare in (Estimate("c", 0.6, 0.5, 0.7), Estimate("d", 0.6, chance=0.5)):
        assert include_chance(bare) == bare


METRIC_ITEMS = (
    Item("a", {}, ("x", "y"), 0),
    Item("b", {}, ("x", "y"), 0),
    Item("c", {}, ("x", "y", "z", "w"), 1),
    Item("d", {}, ("x", "y", "z", "w"), 1),
)


def run_with(**unanswered: NoAnswer) -> Predictions:
    """A run that is right about `a`, wrong about `b`, and has a tie in `c` and `d`."""
    rows = {"a": (1.0, 0.0), "b": (0.0, 1.0), "c": (0.0, 1.0, 1.0, 0.0), "d": (1.0,) * 4}
    scores = {id: row for id, row in rows.items() if id not in unanswered}
    return Predictions("b", "test", "", "m", "full", scores, unanswered=unanswered)


def test_items_that_were_not_asked_are_left_out_of_the_metrics() -> None:
    assert compute_metrics(run_with(), METRIC_ITEMS) == {
        "accuracy": (1 + 0 + 0.5 + 0.25) / 4, "chance": 0.375, "n": 4, "tie_rate": 0.5,
        "train_accuracy": None,
    }  # fmt: skip
    metrics = compute_metrics(run_with(b="not asked", d="not asked"), METRIC_ITEMS)
    assert metrics == {
        "accuracy": 0.75, "chance": 0.375, "n": 2, "tie_rate": 0.5, "train_accuracy": None,
    }  # fmt: skip
    metrics = compute_metrics(run_with(c="not asked", d="not asked"), METRIC_ITEMS)
    assert (metrics["accuracy"], metrics["chance"], metrics["n"]) == (0.5, 0.5, 2)


@pytest.mark.parametrize("reason", ["unparsed", "ambiguous", "refused", "error", "cut off"])
def test_items_that_were_asked_in_vain_count_as_wrong(reason: NoAnswer) -> None:
    metrics = compute_metrics(run_with(a=reason), METRIC_ITEMS)
    assert metrics["accuracy"] == (0 + 0 + 0.5 + 0.25) / 4
    assert (metrics["chance"], metrics["n"], metrics["tie_rate"]) == (0.375, 4, 0.5)


def test_answers_that_are_unknown_only_of_items_not_asked_do_no_harm() -> None:
    items = (*METRIC_ITEMS[:3], replace(METRIC_ITEMS[3], answer=None))
    assert compute_metrics(run_with(), items)["accuracy"] is None
    assert compute_metrics(run_with(d="not asked"), items)["accuracy"] == 0.5


def test_a_run_that_was_asked_nothing_has_metrics_of_all_items() -> None:
    reasons: dict[str, NoAnswer] = dict.fromkeys("abcd", "not asked")
    metrics = compute_metrics(run_with(**reasons), METRIC_ITEMS)
    assert (metrics["accuracy"], metrics["n"], metrics["tie_rate"]) == (0, 4, 0)
