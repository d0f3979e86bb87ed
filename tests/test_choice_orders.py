"""Orders of the choices: permutations, rotations, balanced random lists, and items without any."""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof import load
from hansproof.choice_orders import (
    MAX_ALL,
    count_fixed,
    find_fixed_reason,
    find_order,
    parse_order,
    plan_orders,
)
from hansproof.errors import BadInput
from hansproof.types import ChoiceOrder, Item, OrderKind, View
from hansproof.views import regroup_scores

from .support.log_factories import data_path
from .support.markers import needs_data

KINDS: tuple[OrderKind, ...] = ("rotation", "permutation", "random")
WORDS = ("river", "lake", "sea", "pond", "brook", "fjord", "bay")

kinds = st.sampled_from(KINDS)
sizes = st.integers(1, len(WORDS))
ids = st.text(max_size=6)


def make_item(n_choices: int, id: str = "1") -> Item:
    """An item whose choices may come in any order."""
    return Item(id, {"question": "where?"}, WORDS[:n_choices], 0)


def count_orders(kind: OrderKind, n_choices: int) -> int:
    """The number of orders of a kind, counted by asking for one after the other."""
    item = make_item(n_choices)
    return next(
        number for number in range(10_000) if find_order(ChoiceOrder(kind, number), item) is None
    )


def list_orders(kind: OrderKind, n_choices: int, id: str = "1") -> list[tuple[int, ...]]:
    """All orders of a kind."""
    item = make_item(n_choices, id)
    orders = (
        find_order(ChoiceOrder(kind, number), item)
        for number in range(count_orders(kind, n_choices))
    )
    return [order for order in orders if order is not None]


@given(kinds, sizes, ids, st.integers(0, 200))
def test_every_order_is_a_permutation_and_number_0_is_the_published_one(
    kind: OrderKind, n_choices: int, id: str, number: int
) -> None:
    item = make_item(n_choices, id)
    order = find_order(ChoiceOrder(kind, number), item)
    assert order is None or sorted(order) == [*range(n_choices)]
    assert find_order(ChoiceOrder(kind, 0), item) == tuple(range(n_choices))
    assert find_order(None, item) == tuple(range(n_choices))


@given(sizes, st.data())
def test_a_rotation_by_k_places_choice_j_plus_k_at_place_j(
    n_choices: int, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, n_choices - 1))
    order = find_order(ChoiceOrder("rotation", number), make_item(n_choices))
    assert order == tuple((place + number) % n_choices for place in range(n_choices))
    assert find_order(ChoiceOrder("rotation", n_choices), make_item(n_choices)) is None


@pytest.mark.parametrize("n_choices", range(1, MAX_ALL + 1))
def test_permutations_of_few_choices_are_all_in_lexicographic_order(n_choices: int) -> None:
    orders = list_orders("permutation", n_choices)
    assert orders == sorted(permutations(range(n_choices)))
    assert len({*orders}) == math.factorial(n_choices)


@pytest.mark.parametrize("n_choices", range(MAX_ALL + 1, len(WORDS) + 1))
def test_permutations_of_many_choices_are_rotations(n_choices: int) -> None:
    orders = list_orders("permutation", n_choices)
    assert orders == list_orders("rotation", n_choices)
    assert len(orders) == n_choices


@given(st.integers(1, 5), ids)
def test_a_random_list_is_balanced_in_each_block_and_ends_with_all_permutations(
    n_choices: int, id: str
) -> None:
    orders = list_orders("random", n_choices, id)
    for start in range(0, len(orders), n_choices):
        block = orders[start : start + n_choices]
        for place in range(n_choices):
            assert sorted(order[place] for order in block) == [*range(n_choices)]
    assert len(orders) == len({*orders}) == math.factorial(n_choices)
    assert {*orders} == {*permutations(range(n_choices))}


@given(st.integers(6, 7), ids, st.integers(0, 5))
def test_a_random_list_of_many_choices_is_balanced_too(n_choices: int, id: str, block: int) -> None:
    item = make_item(n_choices, id)
    numbers = range(block * n_choices, (block + 1) * n_choices)
    orders = [find_order(ChoiceOrder("random", number), item) or () for number in numbers]
    for place in range(n_choices):
        assert sorted(order[place] for order in orders) == [*range(n_choices)]


@given(sizes, ids, st.integers(0, 23))
def test_a_random_order_depends_on_the_id_of_the_item_only(
    n_choices: int, id: str, number: int
) -> None:
    item, order = make_item(n_choices, id), ChoiceOrder("random", number)
    other_choices = tuple(f"{choice}, reworded" for choice in item.choices)
    other = Item(id, {"claim": "x"}, other_choices, None, "group", {"source": "s"}, "file", 7)
    assert find_order(order, item) == find_order(order, other)


def test_random_orders_of_different_items_differ() -> None:
    orders = Counter(find_order(ChoiceOrder("random", 1), make_item(4, str(i))) for i in range(600))
    # the second order never has a choice in its published place, as each block is balanced
    assert all(order and all(order[place] != place for place in range(4)) for order in orders)
    assert len(orders) == 6  # the cycles through four choices
    assert min(orders.values()) > 60


@given(kinds, st.integers(0, 30))
def test_choices_that_refer_to_each_other_keep_their_order(kind: OrderKind, number: int) -> None:
    item = replace(make_item(4), choices=("river", "lake", "sea", "all of the above"))
    assert find_fixed_reason(item) == "references"
    assert find_order(ChoiceOrder(kind, number), item) == (0, 1, 2, 3)


@given(
    kinds,
    st.integers(0, 30),
    st.lists(st.integers(-(10**9), 10**9), min_size=3, max_size=6, unique=True),
    st.booleans(),
    st.sampled_from(["{}", "{} km", "about {:,} people", "x = {}.", " ({})"]),
)
def test_numbers_in_rising_or_falling_order_keep_their_order(
    kind: OrderKind, number: int, values: list[int], is_falling: bool, pattern: str
) -> None:
    choices = tuple(pattern.format(value) for value in sorted(values, reverse=is_falling))
    item = replace(make_item(2), choices=choices)
    assert find_fixed_reason(item) == "numbers"
    assert find_order(ChoiceOrder(kind, number), item) == tuple(range(len(choices)))


@pytest.mark.parametrize(
    "choices",
    [
        ("0.5", "0.75", "1.5"), ("1,000", "2,000", "10,000"), ("−2", "-1", "0", "+3"),
        (".25", ".5", ".75"), ("-.5", "-.25", ".125"), ("no. .5", "no. .25", "no. .1"),
        ("1", "2", " 4", "8 "), ("١", "٢", "٣"), ("item 9", "item 10", "item 11"),
        ("No.9", "No.10", "No.11"), ("1.", "2.", "3."),
    ],
)  # fmt: skip
def test_numbers_in_order(choices: tuple[str, ...]) -> None:
    assert find_fixed_reason(replace(make_item(2), choices=choices)) == "numbers"


@pytest.mark.parametrize(
    "choices",
    [
        ("1", "2"), ("3", "1", "2"), ("1", "1", "1"), ("1", "2", "2"), ("1", "2", "three"),
        ("1 g", "2 kg", "3 t"), ("5 to 9", "10 to 14", "15 to 19"), (".5", ".25", ".75"),
        ("9" * 400, "9" * 401, "9" * 402), ("", "", ""), ("²", "³", "⁴"),
    ],
)  # fmt: skip
def test_numbers_that_are_in_no_order_or_differ_in_more_than_a_number(
    choices: tuple[str, ...],
) -> None:
    assert find_fixed_reason(replace(make_item(2), choices=choices)) is None


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=8), max_size=6).map(tuple))
def test_any_choices_have_a_reason_or_none(choices: tuple[str, ...]) -> None:
    assert find_fixed_reason(Item("1", {}, choices, None)) in (None, "references", "numbers")


def test_items_that_keep_their_order_are_counted_by_reason() -> None:
    items = (
        make_item(3),
        replace(make_item(3), choices=("a river", "a lake", "none of these")),
        replace(make_item(3), choices=("1 km", "2 km", "3 km")),
        replace(make_item(3), choices=("3 km", "2 km", "1 km")),
    )
    assert count_fixed(items) == {"references": 1, "numbers": 2}
    assert count_fixed(()) == {}


@pytest.mark.parametrize(
    ("setting", "n_choices", "kind", "count"),
    [
        ("all", (2,), "permutation", 2),
        ("all", (4, 3), "permutation", 24),
        ("all", (5,), "permutation", 5),
        ("all", (3, 5), "permutation", 6),
        ("rotations", (2, 4), "rotation", 4),
        ("1", (4,), "random", 1),
        ("10", (4,), "random", 10),
        ("30", (4, 2), "random", 24),
        ("all", (), "permutation", 1),
    ],
)
def test_planned_orders_are_numbered_from_the_published_one(
    setting: str, n_choices: tuple[int, ...], kind: OrderKind, count: int
) -> None:
    items = tuple(make_item(n, str(i)) for i, n in enumerate(n_choices))
    expected = tuple(ChoiceOrder(kind, number) for number in range(count))
    assert plan_orders(setting, items) == expected


@given(st.sampled_from(["all", "rotations", "7", "500"]), st.lists(sizes, min_size=1, max_size=4))
def test_each_planned_order_shows_an_item_and_no_item_has_more(
    setting: str, n_choices: list[int]
) -> None:
    items = tuple(make_item(n, str(i)) for i, n in enumerate(n_choices))
    orders = plan_orders(setting, items)
    assert all(any(find_order(order, item) for item in items) for order in orders)
    if not setting.isdecimal():
        following = ChoiceOrder(orders[-1].kind, len(orders))
        assert not any(find_order(following, item) for item in items)


def test_items_that_keep_their_order_ask_for_no_orders() -> None:
    numbers = replace(make_item(2), choices=("1", "2", "3", "4", "5", "6"))
    assert len(plan_orders("rotations", (make_item(3), numbers))) == 3
    assert len(plan_orders("all", (numbers,))) == 1


@pytest.mark.parametrize("setting", ["", "0", "-1", "1.5", "every", "all ", "²", "9" * 5000])
def test_settings_that_are_not_orders(setting: str) -> None:
    with pytest.raises(
        BadInput, match=r"--orders: is .*: give all, rotations, or a number of"
    ) as caught:
        plan_orders(setting, (make_item(4),))
    assert str(caught.value).isprintable()


@given(kinds, st.integers(0, 999_999_999))
def test_an_order_is_parsed_from_its_name(kind: OrderKind, number: int) -> None:
    assert parse_order(f"{kind}={number}") == ChoiceOrder(kind, number)


@pytest.mark.parametrize(
    "name", ["rotation", "rotation=", "rotation=-1", "turn=1", "random=x", "random=" + "9" * 5000]
)
def test_names_that_are_not_orders(name: str) -> None:
    with pytest.raises(
        BadInput, match="is not an order of the choices: give an order as rotation=1"
    ):
        parse_order(name)


# the answers of language models to the same items in all orders, as they were published


def read_recording(model: str, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities by item, order and place, and the index of each answer as published."""
    with gzip.open(data_path("llm_orders", model, f"{name}.jsonl.gz"), "rt") as file:
        records = [json.loads(line) for line in file if line.strip()]
    rows = [record["data"] for record in records if record["type"] == "result"]
    answers = ["ABCDE".index(row["ideal"]) for row in rows]
    return np.array([row["probs"] for row in rows]), np.array(answers)


def restore_picks(kind: OrderKind, probabilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The choice that was picked in each order, and in the sum over orders."""
    n_items, n_orders, n_choices = probabilities.shape
    items = tuple(make_item(n_choices, str(i)) for i in range(n_items))
    restored = []
    for number in range(n_orders):
        view = View(("question", "choices"), order=ChoiceOrder(kind, number))
        rows = [tuple(row) for row in probabilities[:, number].tolist()]
        restored.append(regroup_scores(view, items, rows))
    scores = np.array(restored)
    return scores.argmax(axis=2), scores.sum(axis=0).argmax(axis=1)


def measure_consistency(picks: np.ndarray) -> float:
    """The share of pairs of orders in which the same choice is picked."""
    pairs = combinations(picks, 2)
    return float(np.mean([np.mean(first == second) for first, second in pairs]))


@needs_data
@pytest.mark.parametrize(
    ("model", "published", "low", "high", "in_every_order", "consistency", "averaged"),
    [
        ("Llama-2-70b-hf", 80.7, 79.1, 81.4, 57.1, 83.6, 84.0),
        ("Llama-2-7b-hf", 36.0, 35.5, 39.3, 3.2, 34.1, 56.6),
    ],
)
def test_permutations_are_in_the_order_of_published_recordings(
    model: str,
    published: float,
    low: float,
    high: float,
    in_every_order: float,
    consistency: float,
    averaged: float,
) -> None:
    probabilities, answers = read_recording(model, "arc_perm")
    assert probabilities.shape == (1165, 24, 4)
    picks, picks_of_sum = restore_picks("permutation", probabilities)
    accuracies = 100 * np.mean(picks == answers, axis=1)
    assert accuracies[0] == pytest.approx(published, abs=0.05)
    assert accuracies.min() == pytest.approx(low, abs=0.05)
    assert accuracies.max() == pytest.approx(high, abs=0.05)
    assert 100 * np.mean(np.all(picks == answers, axis=0)) == pytest.approx(
        in_every_order, abs=0.05
    )
    assert 100 * measure_consistency(picks) == pytest.approx(consistency, abs=0.05)
    assert 100 * np.mean(picks_of_sum == answers) == pytest.approx(averaged, abs=0.05)


@needs_data
def test_rotations_are_in_the_order_of_published_recordings() -> None:
    probabilities, answers = read_recording("Llama-2-70b-hf", "csqa_cyclic")
    assert probabilities.shape == (1216, 5, 5)
    picks, _ = restore_picks("rotation", probabilities)
    accuracies = np.mean(picks == answers, axis=1)
    assert 0.70 < accuracies.min() < accuracies.max() < 0.74
    assert measure_consistency(picks) > 0.75
    # in the other direction, hardly any two orders agree
    backwards = probabilities[:, [0, 4, 3, 2, 1]]
    assert measure_consistency(restore_picks("rotation", backwards)[0]) < 0.1


@needs_data
def test_orders_of_a_public_benchmark_with_items_of_several_sizes() -> None:
    items = load("arc_challenge").splits["test"]
    orders = plan_orders("all", items)
    assert len(orders) == 24
    assert count_fixed(items) == {"numbers": 43}
    movable = [item for item in items if find_fixed_reason(item) is None]

    def count_sizes(number: int) -> Counter[int]:
        """The sizes of the items that an order shows."""
        return Counter(len(item.choices) for item in movable if find_order(orders[number], item))

    sizes = Counter(len(item.choices) for item in movable)
    assert {*sizes} == {3, 4, 5}
    assert count_sizes(4) == sizes
    assert count_sizes(5) == {3: sizes[3], 4: sizes[4]}  # those with five have rotations alone
    assert count_sizes(6) == count_sizes(23) == {4: sizes[4]}
