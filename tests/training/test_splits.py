from __future__ import annotations

from dataclasses import replace

import pytest

from hansproof.training.splits import hold_out, iter_folds
from hansproof.types import Item, Items


def made(n: int, groups: int = 0) -> Items:
    return tuple(
        Item(
            str(i), {"q": f"ask {i}"}, (f"a {i}", f"b {i}"), 0, str(i % groups) if groups else None
        )
        for i in range(n)
    )


@pytest.mark.parametrize("k", [2, 5, 30, 99])
def test_every_item_is_held_out_once(k: int) -> None:
    cut = list(iter_folds(made(30), k, seed=1))
    assert len(cut) == min(k, 30)
    assert sorted(at for _, scored in cut for at in scored) == list(range(30))
    for learnt, scored in cut:
        assert sorted(learnt + scored) == list(range(30))
        assert len(scored) in (30 // len(cut), 30 // len(cut) + 1)


def test_groups_and_copies_are_not_parted() -> None:
    items = made(30, groups=10)
    items = (*items, replace(items[0], id="copy", group=None))
    for learnt, scored in iter_folds(items, 4, seed=0):
        assert not {at % 10 for at in learnt if at < 30} & {at % 10 for at in scored if at < 30}
        assert (30 in scored) == (0 in scored)


def test_a_tenth_by_seed() -> None:
    items = made(100, groups=50)
    cuts = [hold_out(items, seed) for seed in (0, 0, 1)]
    assert cuts[0] == cuts[1] != cuts[2]
    for learnt, chosen in cuts:
        assert len(chosen) == 10
        assert not {i.group for i in learnt} & {i.group for i in chosen}
        assert len(learnt) == 90


def test_one_unit_cannot_be_cut() -> None:
    items = made(6, groups=1)
    assert hold_out(items, 0) == (items, ())
    assert list(iter_folds(items, 5, 0)) == [([], list(range(6)))]


@pytest.mark.parametrize("groups", [0, 60])
def test_a_tenth_has_as_many_of_each_answer(groups: int) -> None:
    items = made(120, groups)
    items = tuple(replace(item, answer=int(at % 4 == 0)) for at, item in enumerate(items))
    for seed in range(5):
        _, chosen = hold_out(items, seed)
        found = [sum(item.answer == one for item in chosen) for one in (0, 1)]
        assert found == [9, 3] if not groups else found == [8, 2]  # pairs are not parted
