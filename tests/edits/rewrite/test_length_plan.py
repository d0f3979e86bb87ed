"""The plan of lengths: after it, no length says which choice is right."""

from __future__ import annotations

import numpy as np
import pytest

from hansproof.cues.counts import answer_array, build_layout
from hansproof.edits.rewrite.length_plan import LengthPlan, plan_lengths
from hansproof.rules.rule import NO_PICK, pick_choices
from hansproof.types import Item, Items

from ...support.quiz_factories import uneven_quiz

LONGEST = "is the longest"


def plan(items: Items) -> LengthPlan:
    return plan_lengths(items, np.zeros(len(items), np.bool_))


def deviations(items: Items, planned: LengthPlan) -> dict[str, float]:
    """How far the picks of each feature are from chance, in standard deviations."""
    layout, answers = build_layout(items), answer_array(items)
    out = {}
    for name, mask in planned.masks.items():
        picks = pick_choices(mask, layout)
        chance = layout.chance[picks != NO_PICK]
        variance = float((chance * (1 - chance)).sum())
        hits = float((picks == layout.first[:-1] + answers).sum())
        out[name] = (hits - chance.sum()) / variance**0.5 if variance > 2 else 0.0
    return out


@pytest.mark.parametrize("m", [2, 4])
@pytest.mark.parametrize("times", [0.5, 1.6, 3.0])
def test_no_feature_of_length_is_far_from_chance_afterwards(m: int, times: float) -> None:
    items = uneven_quiz(1, 200, m, times=times)
    planned = plan(items)
    assert max(map(abs, deviations(items, planned).values())) < 2.6
    assert abs(deviations(items, planned)[LONGEST]) < 2.2


def test_it_does_not_ask_for_more_than_needed() -> None:
    """Of 300 longest right choices, about 75 may stay; a few other items change as well."""
    items = uneven_quiz(2, 300, share=1.0, times=2.0)
    planned = plan(items)
    assert 200 <= len(planned.order) <= 270
    assert sum(len(planned.changes[i].targets) for i in planned.order) <= 1.8 * len(planned.order)


def test_where_lengths_say_nothing_hardly_anything_changes() -> None:
    planned = plan(uneven_quiz(3, 300, share=0.0))
    assert len(planned.order) <= 15


def test_order_and_changes_agree() -> None:
    planned = plan(uneven_quiz(4, 120))
    changed = [i for i, change in enumerate(planned.changes) if change.targets]
    assert sorted(planned.order) == changed


def test_items_that_are_fixed_stay() -> None:
    items = uneven_quiz(5, 120)
    fixed = np.arange(120) % 2 == 0
    planned = plan_lengths(items, fixed)
    assert planned.order
    assert not set(planned.order) & set(np.flatnonzero(fixed).tolist())


def test_numbers_are_not_lengthened() -> None:
    items = tuple(Item(f"{i}", {}, ("123456789", "12", "1"), 0) for i in range(80))
    assert plan(items).order == []


def test_it_is_the_same_each_time() -> None:
    items = uneven_quiz(6, 100)
    assert plan(items).changes == plan(items).changes
