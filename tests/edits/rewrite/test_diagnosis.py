"""The rules that give a quiz away, and the items that rewriting can help."""

from __future__ import annotations

import numpy as np
import pytest

from hansproof.edits.rewrite.diagnosis import (
    Diagnosis,
    diagnose_items,
    find_fixed,
    find_length_rules,
    find_relative,
)
from hansproof.edits.rewrite.item_choice import choose_items
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item, Items

from ...support.quiz_factories import uneven_quiz

WORD = get_tokenizer("word")


def diagnose(items: Items) -> Diagnosis:
    return diagnose_items(items, WORD, 0.05, 0)


@pytest.fixture(scope="module")
def quiz() -> Diagnosis:
    """The longest choice is right, and one that ends with a full stop."""
    return diagnose(uneven_quiz(1, 240, share=0.7, marked=0.9))


def test_the_rules_of_a_quiz_are_found_with_their_kinds(quiz: Diagnosis) -> None:
    about_length = {quiz.rules[k].describe() for k in find_length_rules(quiz)}
    assert any("long" in rule or "most words" in rule for rule in about_length)
    others = {rule.describe() for rule in quiz.rules} - about_length
    assert any("full stop" in rule or "punctuation" in rule for rule in others)


def test_what_is_given_away_is_counted(quiz: Diagnosis) -> None:
    for k, rule in enumerate(quiz.rules):
        hits, n = quiz.count_hits(k)
        given_away = int(quiz.find_given_away(k).sum())
        assert given_away == (hits if rule.is_telling else n - hits)


def test_features_that_compare_choices_are_known_by_dealing_them_anew(quiz: Diagnosis) -> None:
    absolute = [("typography", "ends with a full stop"), ("words", "has “lamp”")]
    compared = [("typography", "is the longest"), ("typography", "has the most words")]
    unknown = [("words", "has “nothing of the kind”")]
    assert find_relative([*absolute, *compared, *unknown], quiz) == set(compared)


def test_the_place_in_the_list_is_not_rewritten() -> None:
    items = tuple(
        Item(f"{i}", {}, (f"a{i} b", f"c{i} d", f"e{i} f"), 0 if i % 10 else 1) for i in range(120)
    )
    found = diagnose(items)
    assert [rule.describe() for rule in found.place_rules] == ["the first choice"]
    assert not any("first choice" in rule.describe() for rule in found.rules)


def test_partners_and_items_without_a_wrong_choice_stay() -> None:
    items = (
        Item("1", {}, ("a", "b"), 0, "g"),
        Item("2", {}, ("b", "a"), 0, "g"),
        Item("3", {}, ("a", "c"), 0, "g"),
        Item("4", {}, ("a", "b"), 0),
        Item("5", {}, ("a", "b"), 1),
        Item("6", {}, ("a",), 0),
    )
    assert find_fixed(items).tolist() == [True, True, False, False, False, True]


def loud_items(n: int, m: int) -> Items:
    """One choice of each item has `loud`; it is right in five of six."""
    rng = np.random.default_rng(4)
    items = []
    for i in range(n):
        loud = int(rng.integers(m))
        answer = (loud + 1) % m if i % 6 == 0 else loud
        words = rng.choice(["blue", "grey", "pink", "gold", "teal", "rust"], (m, 3))
        texts = [" ".join([*row, "loud" if k == loud else "calm"]) for k, row in enumerate(words)]
        items.append(Item(f"{i}", {}, tuple(texts), answer))
    return tuple(items)


def find_loud(found: Diagnosis) -> int:
    (loud,) = (k for k, rule in enumerate(found.rules) if rule.describe().endswith("“loud”"))
    return loud


@pytest.mark.parametrize("m", [2, 4])
def test_just_enough_items_are_rewritten(m: int) -> None:
    """Where two choices have the word it picks none; what is compared picks another instead."""
    found = diagnose(loud_items(240, m))
    loud = find_loud(found)
    hits, n = found.count_hits(loud)
    assert (hits, n) == (200, 240)
    none_fixed = np.zeros(240, np.bool_)
    absolute = choose_items(found, {loud: False}, none_fixed)
    assert (hits - len(absolute)) / (n - len(absolute)) == pytest.approx(1 / m, abs=0.01)
    compared = choose_items(found, {loud: True}, none_fixed)
    assert (hits - len(compared)) / n == pytest.approx(1 / m, abs=0.01)
    assert all(found.find_given_away(loud)[i] for i in {*absolute, *compared})


def test_fixed_items_are_not_chosen() -> None:
    found = diagnose(loud_items(120, 2))
    fixed = np.arange(120) % 2 == 0
    chosen = choose_items(found, {find_loud(found): False}, fixed)
    assert chosen
    assert all(i % 2 for i in chosen)
