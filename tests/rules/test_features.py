"""Blocks of features: what is kept, counted and shown to a ranker."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import build_layout
from hansproof.rules import features
from hansproof.rules.features import (
    ITEMS_PER_MIN,
    MIN_ITEMS,
    MIN_JOINED_ITEMS,
    build_block,
    build_mask_block,
    min_items,
    sort_distinct,
)
from hansproof.types import Item, Items

from ..support.rule_factories import count_items

ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 39)), max_size=200)
SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=40)


def sized_items(sizes: list[int]) -> Items:
    return tuple(Item(f"{i}", {}, tuple("abcde"[:m]), 0) for i, m in enumerate(sizes))


@settings(max_examples=150, deadline=None)
@given(ROWS, SIZES, st.sampled_from([1, 1 << 20, 1 << 40]))
def test_a_block_counts_items_and_drops_rare_features(
    rows: list[tuple[int, int]], sizes: list[int], scale: int
) -> None:
    items = sized_items(sizes)
    layout = build_layout(items)
    n = layout.item.size
    rows = [(key * scale, choice % n) for key, choice in rows]
    keys, choice = (np.array([row[k] for row in rows], np.int64) for k in (0, 1))
    block = build_block("x", keys, choice, layout, "{}".format)
    choices_with = defaultdict(set)
    for key, c in rows:
        choices_with[key].add(c)
    expected = {}
    for key, chosen in choices_with.items():
        telling, total = count_items([c in chosen for c in range(n)], items)
        if telling >= MIN_ITEMS or total >= MIN_JOINED_ITEMS:
            expected[str(key)] = (telling, total - telling, chosen)
    counted = {
        block.name(f): (block.n_items[f], block.n_shared[f],
                        {*np.flatnonzero(block.column(f, n)).tolist()})
        for f in range(block.size)
    }  # fmt: skip
    assert counted == expected
    assert [int(name) for name in counted] == sorted(int(name) for name in expected)


@settings(max_examples=50, deadline=None)
@given(ROWS, SIZES)
def test_a_ranker_sees_what_tells_choices_apart(
    rows: list[tuple[int, int]], sizes: list[int]
) -> None:
    layout = build_layout(sized_items(sizes))
    n = layout.item.size
    keys, choice = (np.array([row[k] for row in rows], np.int64) for k in (0, 1))
    block = build_block("x", keys, choice % n, layout, str)
    bags = block.bags(layout)
    assert bags.start.size == n + 1
    for c in range(n):
        bag = bags.feature[bags.start[c] : bags.start[c + 1]].tolist()
        assert len(bag) == len({*bag})
        item = layout.item[c]
        places = range(layout.first[item], layout.first[item + 1])
        for feature in range(block.size):
            column = block.column(feature, n)
            is_shared = all(column[places])
            assert (feature in bag) == (column[c] and not is_shared)


def test_a_feature_that_all_choices_have_is_kept_for_joining() -> None:
    layout = build_layout(sized_items([2] * 20))
    every, first = np.ones(40, np.bool_), np.arange(40) % 2 == 0
    masks = {"all": every, "first": first, "few": every & (np.arange(40) < 30), "no": ~every}
    block = build_mask_block("x", masks, layout)
    assert [block.name(f) for f in range(block.size)] == ["all", "first"]
    assert block.n_items.tolist() == [0, 20]
    assert block.n_shared.tolist() == [20, 0]
    assert Counter(block.feature.tolist()) == {1: 20}


def test_large_benchmarks_need_more_items() -> None:
    assert [min_items(n) for n in (1, ITEMS_PER_MIN - 1, ITEMS_PER_MIN, 10 * ITEMS_PER_MIN)] == [
        MIN_ITEMS, MIN_ITEMS, MIN_ITEMS + 1, MIN_ITEMS + 10
    ]  # fmt: skip


def test_no_features_at_all() -> None:
    layout = build_layout(sized_items([2, 3]))
    empty = np.zeros(0, np.int64)
    block = build_block("x", empty, empty, layout, str)
    assert block.size == 0
    assert block.bags(layout).start.tolist() == [0] * 6
    assert build_mask_block("x", {}, layout).size == 0


@given(st.lists(st.integers(-5, 5)))
def test_distinct_values_are_sorted(values: list[int]) -> None:
    assert sort_distinct(np.array(values, np.int64)).tolist() == sorted({*values})


@pytest.mark.parametrize("n_items", [3, 5])
def test_a_stricter_minimum_drops_more(monkeypatch: pytest.MonkeyPatch, n_items: int) -> None:
    monkeypatch.setattr(features, "MIN_ITEMS", n_items)
    layout = build_layout(sized_items([2] * 10))
    masks = {str(n): (np.arange(20) % 2 == 0) & (np.arange(20) < 2 * n) for n in range(10)}
    block = build_mask_block("x", masks, layout)
    assert [block.name(f) for f in range(block.size)] == [*map(str, range(n_items, 10))]
