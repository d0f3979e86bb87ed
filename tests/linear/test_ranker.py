"""Rankers trained side by side against the optimum of each alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from hansproof.linear.features import FeatureBags, extract_features
from hansproof.linear.ranker import LANES, lane_credits, score_choices, train_ranker
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item, Items

WORDS = [f"w{i}" for i in range(12)]


def made(seed: int, sizes: tuple[int, ...] = (2, 3, 5), n: int = 40) -> Items:
    rng = np.random.default_rng(seed)
    return tuple(
        Item(str(i), {}, tuple(" ".join(rng.choice(WORDS, 4)) for _ in range(m)),
             int(rng.integers(m)))
        for i in range(n)
        for m in [int(rng.choice(sizes))]
    )  # fmt: skip


def given_answers(items: Items) -> NDArray[np.int16]:
    return np.array([[i.answer if i.answer is not None else -1] for i in items], np.int16)


def dense(found: FeatureBags) -> NDArray[np.float64]:
    rows = np.zeros((int(found.first[-1]), found.size))
    for choice in range(len(rows)):
        rows[choice, found.feature[found.start[choice] : found.start[choice + 1]]] = 1
    return rows


def loss(
    w: NDArray[np.float64], found: FeatureBags, answers: NDArray[np.int16], penalty: float
) -> float:
    """The objective, as the docstring has it."""
    z = dense(found) @ w
    total = penalty / 2 * float(w @ w)
    for item in range(answers.size):
        own = z[found.first[item] : found.first[item + 1]]
        if own.size == 1:
            total += np.logaddexp(0, -own[0] if answers[item, 0] == 0 else own[0])
        else:
            total += np.logaddexp.reduce(own) - own[answers[item, 0]]
    return float(total)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([(2,), (2, 3, 5), (1,), (1, 4)]),
       st.sampled_from([0.5, 3.0, 20.0]))  # fmt: skip
def test_it_finds_the_optimum(seed: int, sizes: tuple[int, ...], penalty: float) -> None:
    items = made(seed, sizes)
    if 1 in sizes:
        items = tuple(
            i if len(i.choices) > 1 or at % 3 else Item(i.id, {}, i.choices, None)
            for at, i in enumerate(items)
        )
    found, answers = extract_features(items, get_tokenizer("word"), 1, 1), given_answers(items)
    weights = train_ranker(
        found, answers, np.ones(answers.shape, np.bool_), penalty, 0, epochs=300
    )[:, 0]
    best = minimize(loss, np.zeros(found.size), (found, answers, penalty), method="L-BFGS-B")
    assert loss(weights.astype(np.float64), found, answers, penalty) <= best.fun * (1 + 1e-4) + 1e-4
    if penalty < 3:  # the default
        return
    quick = train_ranker(found, answers, np.ones(answers.shape, np.bool_), penalty, 0)[:, 0]
    nothing = loss(np.zeros(found.size), found, answers, penalty)
    gap = loss(quick.astype(np.float64), found, answers, penalty) - best.fun
    assert gap <= 0.05 * (nothing - best.fun) + 1e-3  # ten visits get most of the way


def test_lanes_do_not_see_each_other() -> None:
    items = made(1, n=60)
    found, answers = extract_features(items, get_tokenizer("word"), 2, 1), given_answers(items)
    rng = np.random.default_rng(0)
    sizes = np.array([len(i.choices) for i in items])
    many = (rng.integers(0, 60, (60, LANES)) % sizes[:, None]).astype(np.int16)
    many[:, 3] = answers[:, 0]
    learns = np.ones(many.shape, np.bool_)
    beside = train_ranker(found, many, learns, 3.0, 0)[:, 3]
    alone = train_ranker(found, answers, learns[:, :1], 3.0, 0)[:, 0]
    assert np.array_equal(beside, alone)


def test_what_is_not_taught_is_not_learnt() -> None:
    items = made(2, n=60)
    found, answers = extract_features(items, get_tokenizer("word"), 2, 1), given_answers(items)
    learns = np.zeros((60, 2), np.bool_)
    learns[:30] = True
    other = answers.copy()
    other[30:] = 0
    both = train_ranker(found, np.concatenate([answers, other], axis=1), learns, 3.0, 0)
    assert np.array_equal(both[:, 0], both[:, 1])


def test_equal_choices_tie_exactly_and_earn_their_share() -> None:
    same = Item("1", {}, ("w1 w2 w3", "w4", "w1 w2 w3"), 0)
    items = (*made(3), same)
    found, answers = extract_features(items, get_tokenizer("word"), 2, 1), given_answers(items)
    scores = score_choices(
        found, train_ranker(found, answers, np.ones(answers.shape, np.bool_), 1.0, 0)
    )
    own = scores[found.first[-2] :, 0]
    assert own[0] == own[2]
    worth = lane_credits(found.first, scores, answers)[-1, 0]
    assert worth == pytest.approx(0.5 if own[0] > own[1] else 0)


def test_the_same_seed_gives_the_same_weights() -> None:
    items = made(4)
    found, answers = extract_features(items, get_tokenizer("word"), 2, 1), given_answers(items)
    learns = np.ones(answers.shape, np.bool_)
    once, twice = (train_ranker(found, answers, learns, 1.0, 7) for _ in range(2))
    assert np.array_equal(once, twice)
