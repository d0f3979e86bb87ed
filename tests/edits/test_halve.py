from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof import load
from hansproof.edits.halve import Halve
from hansproof.types import Benchmark, Item, Items

from ..support.markers import needs_data


def item(id: str, group: str | None = None) -> Item:
    return Item(id, {"q": id}, ("a", "b"), 0, group)


def name(one: Item) -> str:
    return one.group or f"item {one.id}"


some_groups = st.lists(st.sampled_from([None, "a", "b", "c", "d"]), min_size=1, max_size=20)


@given(some_groups, st.integers(0, 5))
def test_groups_stay_whole_and_the_larger_half_stays(groups: list[str | None], seed: int) -> None:
    items = tuple(item(f"{at}", group) for at, group in enumerate(groups))
    kept = Halve(seed=seed)(Benchmark("b", {"all": items})).benchmark.splits["all"]
    before, after = Counter(map(name, items)), Counter(map(name, kept))
    assert len(after) == (len(before) + 1) // 2
    assert all(before[group] == n for group, n in after.items())
    assert kept == tuple(one for one in items if one in kept)


@given(st.permutations(range(9)))
def test_the_order_of_items_says_nothing(order: list[int]) -> None:
    items = tuple(item(f"{at}", "ab"[at % 2] if at < 4 else None) for at in range(9))
    turned = tuple(items[at] for at in order)

    def kept(some: Items) -> set[str]:
        return {one.id for one in Halve()(Benchmark("b", {"all": some})).benchmark.splits["all"]}

    assert kept(items) == kept(turned)


def test_another_seed_keeps_another_half() -> None:
    whole = load("toy:pooled")
    halves = [Halve(seed=seed)(whole).benchmark for seed in (0, 0, 1)]
    assert halves[0] == halves[1] != halves[2]


def test_a_group_in_two_splits_is_kept_or_dropped_in_both() -> None:
    edited = Halve()(load("toy"))
    original, mirrored = edited.benchmark.splits.values()
    assert len(original) == len(mirrored) == 60
    assert [one.group for one in original] == [one.group for one in mirrored]
    assert edited.report.summary == "Kept 60 of 120 groups, 120 of 240 items."


def test_a_part_alone_can_be_halved_aloud() -> None:
    edited = Halve(split="original")(load("toy"))
    assert [len(items) for items in edited.benchmark.splits.values()] == [60, 120]
    assert edited.report.notes == (
        "Groups that also have items in splits that were not halved: 120",
    )


@needs_data
def test_half_of_balanced_copa_has_the_size_of_copa() -> None:
    edited = Halve(split="dev")(load("balanced_copa"))
    dev = edited.benchmark.splits["dev"]
    assert len(dev) == 500
    assert set(Counter(one.group for one in dev).values()) == {2}
    assert edited.report.tables["groups"].rows == (("dev", 2, 500, 250, 1000, 500),)
    # every answer is right once in a pair, so that the half is as balanced as the whole
    from hansproof.probes.balance import Balance

    assert "cues" not in Balance()(edited.benchmark).tables


@pytest.mark.parametrize("seed", range(5))
def test_splits_without_groups_are_halved_one_by_one(seed: int) -> None:
    splits = {"x": tuple(item(f"{at}") for at in range(7)), "y": (item("only"),)}
    edited = Halve(seed=seed)(Benchmark("b", splits)).benchmark
    assert [len(items) for items in edited.splits.values()] == [4, 1]
