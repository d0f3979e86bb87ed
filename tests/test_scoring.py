from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.scoring import expected_credit, is_tied

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
