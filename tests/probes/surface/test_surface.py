from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from hansproof.probes.surface import Surface, build_tells, slice_items
from hansproof.types import Benchmark, Item, Result


def picked(tell: str, *choices: str, **fields: str) -> list[int]:
    item = Item("1", fields, choices, 0)
    return build_tells((item,))[tell](item)


@pytest.mark.parametrize(
    ("tell", "choices", "expected"),
    [
        ("longest", ("a", "bbb", "cc"), [1]),
        ("longest", ("aaa", "bbb", "cc"), [0, 1]),
        ("longest", ("aa ", "bb"), [0, 1]),
        ("shortest", ("a", "bbb", "cc"), [0]),
        ("first", ("a", "b"), [0]),
        ("last", ("a", "b", "c"), [2]),
        ("odd capitalisation", ("a", "B", "c"), [1]),
        ("odd capitalisation", ("A", "b", "C"), [1]),
        ("odd capitalisation", ("a", "B"), [1]),
        ("odd capitalisation", ("a", "b"), [0, 1]),
        ("odd capitalisation", ("A", "B", "c", "d"), [0, 1, 2, 3]),
        ("digit", ("in 1999", "then"), [0]),
        ("punctuation inside", ("a.", "a, b."), [1]),
        ("negation", ("He does not.", "He does."), [0]),
        ("negation", ("He won't.", "He cannot.", "He can."), [0, 1]),
        ("negation", ("a knot", "an ant"), [0, 1]),
    ],
)
def test_what_a_tell_points_at(tell: str, choices: tuple[str, ...], expected: list[int]) -> None:
    assert picked(tell, *choices) == expected


def test_overlap_is_in_distinct_words_of_each_field() -> None:
    fields = {"premise": "The dog barked.", "hint": "cat"}
    choices = ("the Dog ran", "a cat, the cat")
    assert picked("most overlap with premise", *choices, **fields) == [0]
    assert picked("least overlap with premise", *choices, **fields) == [1]
    assert picked("most overlap with hint", *choices, **fields) == [1]


def accuracy(result: Result, tell: str, part: str = "") -> tuple[object, ...]:
    return next(r for r in result.tables["tells"].rows if r[1:3] == (part, tell))


def test_ties_count_by_expectation_and_are_reported() -> None:
    items = (
        Item("1", {}, ("aa", "bb", "c"), 0),  # one of two longest: 1/2
        Item("2", {}, ("aa", "bb", "cc"), 0),  # all tie: 1/3
        Item("3", {}, ("aaa", "bb", "cc"), 0),  # right
        Item("4", {}, ("aaa", "bb", "cc"), 1),  # wrong
    )
    row = accuracy(Surface()(Benchmark("b", {"all": items})), "longest")
    assert row[3] == pytest.approx((1 / 2 + 1 / 3 + 1 + 0) / 4)
    assert (row[6], row[7], row[8], row[9]) == (pytest.approx(1 / 3), 4, 0.75, 0.5)


def test_a_tell_is_flagged_with_its_items_and_read_backwards_below_chance() -> None:
    items = tuple(Item(str(i), {}, ("long one", "short"), int(i < 50)) for i in range(60))
    result = Surface()(Benchmark("b", {"all": items}))
    assert result.verdict == "exposed"
    assert result.evidence["all: shortest"] == tuple(str(i) for i in range(50))
    assert result.evidence["all: longest"] == tuple(str(i) for i in range(50))
    assert "chance 50.0%" in result.summary


def test_slices_of_meta_have_few_values_and_enough_items() -> None:
    items = tuple(
        Item(str(i), {}, ("a", "b"), 0, meta={"half": i % 2, "unique": str(i), "same": 1})
        for i in range(60)
    )
    assert [part.name for part in slice_items(items)] == ["", "half=0", "half=1"]
    few = items[:30]
    assert [part.name for part in slice_items(few)] == [""]


def test_a_tell_may_hide_in_a_slice() -> None:
    items = tuple(
        Item(str(i), {}, ("long one", "short"), i % 2, meta={"half": i % 2}) for i in range(80)
    )
    result = Surface()(Benchmark("b", {"all": items}))
    assert accuracy(result, "longest")[3] == 0.5
    assert accuracy(result, "longest", "half=0")[3] == 1.0
    assert result.verdict == "exposed"
    assert "half=" in result.summary


def test_items_of_a_group_are_not_independent_evidence() -> None:
    """Ten groups of twenty items that share one answer: chance alone makes large swings."""
    flagged = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        answers = np.repeat(rng.integers(0, 2, 10), 20)
        items = tuple(
            Item(str(i), {}, ("long one", "short"), int(a), group=str(i // 20))
            for i, a in enumerate(answers)
        )
        flagged += Surface()(Benchmark("b", {"all": items})).verdict != "clear"
    assert flagged <= 6


def test_the_group_null_is_enumeration() -> None:
    items = tuple(
        Item(str(i), {}, ("long one", "short"), a, group=str(i // 2))
        for i, a in enumerate([0, 0, 0, 1, 0, 0, 1, 0] * 4)
    )
    row = accuracy(Surface()(Benchmark("b", {"all": items})), "longest")
    # groups with equal answers swing by two, groups with both cannot: eight of sixteen swing
    distance, variance = sum(2 * (i.answer == 0) - 1 for i in items) / 2, 8 * 1.0
    assert row[10] == pytest.approx(2 * norm.sf(distance / variance**0.5))


def test_avoiding_a_choice_of_five_gains_little() -> None:
    items = tuple(
        Item(str(i), {}, ("the longest", "b", "c", "d", "e"), 0 if i % 8 == 0 else 1 + i % 4)
        for i in range(800)
    )
    result = Surface()(Benchmark("b", {"all": items}))
    row = accuracy(result, "longest")
    assert row[3] == 0.125
    assert row[-1] == "tell"
    # 12.5 % instead of 20 %: guessing among the other four gives 21.9 %
    assert result.verdict == "caution"


def test_halves_of_mirrored_pairs_are_listed_but_not_judged() -> None:
    items = tuple(
        Item(f"{i}{half}", {}, ("long one", "short"), half, group=str(i), meta={"mirrored": half})
        for i in range(60)
        for half in (0, 1)
    )
    result = Surface()(Benchmark("b", {"all": items}))
    assert accuracy(result, "longest", "mirrored=0")[3] == 1.0
    assert result.verdict == "clear"
    assert any("mirrored" in note for note in result.notes)
