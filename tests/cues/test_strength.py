from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from hansproof.cues.counts import CueCounts, build_layout, count_cues
from hansproof.cues.strength import aggregate_strength
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Item

WORD = get_tokenizer("word")


def built(items: tuple[Item, ...]) -> CueCounts:
    return count_cues(items, WORD, 1, build_layout(items))[0]


def by_hand(items: tuple[Item, ...], answers: tuple[int, ...]) -> float:
    """Sum of a (p - c)^2 / (c (1 - c)) over the cues, from the definition."""
    words = sorted({w for item in items for choice in item.choices for w in choice.split()})
    total = 0.0
    for word in words:
        a, h, c = 0, 0, 0.0
        for item, answer in zip(items, answers, strict=True):
            having = [j for j, choice in enumerate(item.choices) if word in choice.split()]
            if len(having) == 1:
                a, h, c = a + 1, h + (having[0] == answer), c + 1 / len(item.choices)
        if a:
            c /= a
            total += a * (h / a - c) ** 2 / (c * (1 - c))
    return total


RNG = np.random.default_rng(3)
ITEMS = tuple(
    Item(str(i), {}, tuple(" ".join(RNG.choice(list("abcde"), 2)) for _ in range(2 + i % 2)), 0)
    for i in range(8)
)


def test_the_statistic_is_the_formula() -> None:
    found = aggregate_strength(
        ITEMS, find_leakage_groups(ITEMS), built(ITEMS), build_layout(ITEMS), 9, seed=0
    )
    assert found.value == pytest.approx(by_hand(ITEMS, (0,) * len(ITEMS)))


def test_the_null_is_every_way_to_turn_the_answers() -> None:
    every = [by_hand(ITEMS, a) for a in product(*(range(len(i.choices)) for i in ITEMS))]
    found = aggregate_strength(
        ITEMS, find_leakage_groups(ITEMS), built(ITEMS), build_layout(ITEMS), 20_000, seed=1
    )
    assert found.null_mean == pytest.approx(np.mean(every), rel=0.02)
    assert found.p == pytest.approx(np.mean(np.array(every) >= found.value - 1e-9), abs=0.02)


def test_for_two_choices_it_is_the_sum_of_a_times_two_p_minus_one_squared() -> None:
    items = tuple(Item(str(i), {}, ("a", "b"), int(i < 3)) for i in range(10))
    # a is right 7 of 10 times, b 3 of 10
    expected = 2 * 10 * (2 * 0.7 - 1) ** 2
    assert aggregate_strength(
        items, find_leakage_groups(items), built(items), build_layout(items), 9, 0
    ).value == pytest.approx(expected)


def test_a_cue_that_applies_once_counts_by_the_definition() -> None:
    for m in (2, 5):
        items = tuple(Item(str(i), {}, tuple(f"w{i}x{j}" for j in range(m)), 0) for i in range(10))
        found = aggregate_strength(
            items, find_leakage_groups(items), built(items), build_layout(items), 99, 0
        )
        assert found.value == pytest.approx(by_hand(items, (0,) * 10))
        assert found.p == 1  # under every null each item gives one hit and m - 1 misses


def test_mirrored_pairs_have_none_and_cannot_get_any() -> None:
    items = tuple(Item(str(i), {}, ("a b", "c"), i % 2, group=str(i // 2)) for i in range(20))
    found = aggregate_strength(
        items, find_leakage_groups(items), built(items), build_layout(items), 99, 0
    )
    assert (found.value, found.null_high, found.p) == (0, 0, 1)
    assert found.ratio_to_null() == 1


def test_a_perfect_cue_is_found_and_the_p_cannot_be_zero() -> None:
    items = tuple(Item(str(i), {}, ("right one", "wrong one"), 0) for i in range(50))
    assert (
        aggregate_strength(
            items, find_leakage_groups(items), built(items), build_layout(items), 999, 0
        ).p
        == 1 / 1000
    )
