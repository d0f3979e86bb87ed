"""Items that no fold may part."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hansproof.training.leakage_groups import MAX_COPIES, find_leakage_groups
from hansproof.types import Item, Items


def item(choices: str, question: str = "", group: str | None = None) -> Item:
    """Choices parted by bars."""
    return Item("", {"q": question}, tuple(choices.split("|")), 0, group)


def together(*items: Item) -> set[frozenset[int]]:
    """The units, each as the positions of its items."""
    names = find_leakage_groups(items)
    return {frozenset(i for i, n in enumerate(names) if n == name) for name in names}


def sets(*members: set[int]) -> set[frozenset[int]]:
    return set(map(frozenset, members))


def test_the_same_choices_tie_whatever_their_order_and_spelling() -> None:
    found = together(item("Yes.|No", "a"), item("no|YES!", "b"), item("yes|maybe", "c"))
    assert found == sets({0, 1}, {2})


def test_the_same_question_ties_with_a_choice_in_common() -> None:
    items = item("a|b", "Why?"), item("b|c", "why"), item("d|e", "why"), item("a|b c", "how")
    assert together(*items) == sets({0, 1}, {2}, {3})


def test_ties_are_handed_on() -> None:
    chain = item("a|b", "x"), item("b|a", "y"), item("a|c", "y"), item("q|r", "z", "g")
    assert together(*chain, item("a|c", "w", "g")) == sets({0, 1, 2, 3, 4})


def test_texts_without_words_tie_nothing() -> None:
    assert together(item("|", ""), item("|", ""), item("...|!", "?")) == sets({0}, {1}, {2})
    assert together(item("a|b", ""), item("a|c", "")) == sets({0}, {1})


def test_a_choice_that_stands_twice_ties_its_item_to_no_other() -> None:
    assert together(item("a|a", "x"), item("a|b", "y")) == sets({0}, {1})


def test_what_many_share_is_a_form_but_a_group_always_ties() -> None:
    few = [item("yes|no", f"q{i}") for i in range(MAX_COPIES)]
    assert len(together(*few)) == 1
    many = [item("yes|no", f"q{i}") for i in range(MAX_COPIES + 1)]
    assert len(together(*many)) == MAX_COPIES + 1
    grouped = [item(f"{i}|no", f"q{i}", "g") for i in range(5 * MAX_COPIES)]
    assert len(together(*grouped)) == 1


def test_copies_without_a_question_tie_however_many_there_are() -> None:
    many = MAX_COPIES + 2
    assert len(together(*[item("it is very hot|it is very cold")] * many)) == 1
    assert len(together(*[item("yes|no")] * many)) == many
    asked = [item("it is very hot|it is very cold", f"why {i}") for i in range(many)]
    assert len(together(*asked)) == many


def test_no_items() -> None:
    assert find_leakage_groups(()) == []


word = st.sampled_from(["a", "b", "c", "A.", ""])
made = st.builds(
    lambda choices, question, group: Item("", {"q": question}, choices, 0, group),
    st.tuples(word, word) | st.tuples(word, word, word),
    st.sampled_from(["why", "Why?", "how", "when", ""]),
    st.sampled_from([None, None, "g", "h"]),
)


def by_item(items: Items) -> set[frozenset[int]]:
    """Units as sets of the items themselves."""
    names = find_leakage_groups(items)
    return {
        frozenset(id(i) for i, n in zip(items, names, strict=True) if n == name) for name in names
    }


@given(st.lists(made, max_size=40), st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(items: list[Item], chance: random.Random) -> None:
    items = [Item(str(i), x.fields, x.choices, 0, x.group) for i, x in enumerate(items)]
    shuffled = chance.sample(items, len(items))
    assert by_item(tuple(items)) == by_item(tuple(shuffled))


@given(st.lists(made, min_size=1, max_size=40))
def test_groups_are_whole(items: list[Item]) -> None:
    names = find_leakage_groups(tuple(items))
    for group in ("g", "h"):
        assert len({n for i, n in zip(items, names, strict=True) if i.group == group}) <= 1


def test_groups_are_those_of_the_items_given_not_of_the_last_ones() -> None:
    items = item("a|b", "x"), item("b|a", "y"), item("c|d", "z")
    groups = find_leakage_groups(items)
    groups.append("changed by the caller")
    assert find_leakage_groups(items) == find_leakage_groups((*items,)) == groups[:3]
    assert len(set(find_leakage_groups((items[0], items[2], items[2])))) == 2
    changed = (replace(items[0], choices=("e", "f")), *items[1:])
    assert len(set(find_leakage_groups(changed))) == 3
