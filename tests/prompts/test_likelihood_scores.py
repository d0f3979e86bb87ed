"""Scores from likelihoods: the pairs that are read, and how their likelihoods are combined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.prompts.likelihood_scores import SCORINGS, ScoreBy
from hansproof.types import Item

ITEM = Item("1", {"question": "What is wet?"}, ("water", "a stone"), 0)
BLIND = Item("1", {}, ("water", "a stone"), 0)


@dataclass(frozen=True)
class FixedLikelihood:
    """A likelihood that a test sets."""

    log: float
    tokens: int


def combine(name: ScoreBy, choice: str, likelihoods: Sequence[tuple[float, int]]) -> float:
    """The score of a choice by the likelihoods of its pairs."""
    return SCORINGS[name][1](choice, [FixedLikelihood(*values) for values in likelihoods])


def test_every_kind_of_score_is_there() -> None:
    assert {*SCORINGS} == {*get_args(ScoreBy)}


def test_each_choice_is_a_continuation_and_for_pmi_also_without_the_question() -> None:
    prompt = "Question: What is wet?\nAnswer:"
    for name in ("sum", "token", "byte"):
        assert SCORINGS[name][0](ITEM) == [((prompt, " water"),), ((prompt, " a stone"),)]
    assert SCORINGS["pmi"][0](ITEM) == [
        ((prompt, " water"), ("Answer:", " water")),
        ((prompt, " a stone"), ("Answer:", " a stone")),
    ]


def test_without_a_question_pmi_ties_as_its_two_prompts_are_the_same() -> None:
    for choice, (pair, neutral) in zip(BLIND.choices, SCORINGS["pmi"][0](BLIND), strict=True):
        assert pair == neutral == ("Answer:", f" {choice}")
        assert combine("pmi", choice, [(-3.0, 2), (-3.0, 2)]) == 0


logs = st.floats(-1e6, 0)


@given(st.text(max_size=9), logs, st.integers(0, 50), logs, st.integers(0, 50))
def test_scores_are_sums_means_and_differences(
    choice: str, log: float, n_tokens: int, neutral_log: float, n_neutral: int
) -> None:
    n_bytes = len(choice.strip().encode("utf-8", "replace"))
    assert combine("sum", choice, [(log, n_tokens)]) == log
    assert combine("token", choice, [(log, n_tokens)]) == log / max(n_tokens, 1)
    assert combine("byte", choice, [(log, n_tokens)]) == log / max(n_bytes, 1)
    difference = combine("pmi", choice, [(log, n_tokens), (neutral_log, n_neutral)])
    assert difference == log - neutral_log
    assert math.isfinite(difference)


@pytest.mark.parametrize(("choice", "score"), [("abcd", -2.0), (" abcd ", -2.0), ("é", -4.0)])
def test_bytes_are_those_of_the_choice_without_spaces_around_it(choice: str, score: float) -> None:
    assert combine("byte", choice, [(-8.0, 3)]) == score
