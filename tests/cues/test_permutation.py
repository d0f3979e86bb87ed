"""Answers that rotate, group by group."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import answer_array
from hansproof.cues.permutation import build_rotations, rotate_answers, rotate_credits
from hansproof.types import Item, Items


@st.composite
def grouped_items(draw: st.DrawFn) -> Items:
    """Items of which some share a group and texts, in any order."""
    items = []
    for i in range(draw(st.integers(1, 7))):
        texts = draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=4))
        answer = draw(st.integers(0, len(texts) - 1))
        items.append(
            Item(f"{i}", {}, tuple(texts), answer, draw(st.sampled_from(["g", "h", None])))
        )
    return tuple(items)


def group_names(items: Items) -> list[str]:
    return [item.group or f"alone {item.id}" for item in items]


@settings(max_examples=100, deadline=None)
@given(grouped_items(), st.integers(0, 99))
def test_each_answer_is_as_likely(items: Items, seed: int) -> None:
    rotations = build_rotations(items, group_names(items))
    n_groups = int(rotations.group.max()) + 1
    assert rotations.rotate(np.zeros(n_groups, np.int64)).tolist() == answer_array(items).tolist()
    counts: list[Counter[int]] = [Counter() for _ in items]
    for step in range(12):  # a multiple of each number of choices
        for count, answer in zip(counts, rotations.rotate(np.full(n_groups, step)), strict=True):
            count[int(answer)] += 1
    for item, count in zip(items, counts, strict=True):
        assert count == dict.fromkeys(range(len(item.choices)), 12 // len(item.choices))
    rotated = next(iter(rotate_answers(items, group_names(items), 1, seed)))
    assert all(0 <= a < len(i.choices) for a, i in zip(rotated, items, strict=True))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 999), st.integers(2, 5))
def test_copies_keep_the_same_text_as_their_answer(seed: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    texts = [f"text {k}" for k in range(m)]
    items = []
    for i in range(6):
        order = rng.permutation(m).tolist()
        choices = tuple(texts[k] for k in order)
        items.append(Item(f"{i}", {}, choices, order.index(0), "copies"))
    for answers in rotate_answers(tuple(items), ["copies"] * 6, 5, seed):
        right = {item.choices[a] for item, a in zip(items, answers.tolist(), strict=True)}
        assert len(right) == 1


def test_mirrored_pairs_stay_balanced() -> None:
    items = tuple(Item(f"{a}", {}, ("yes", "no"), a, "pair") for a in (0, 1))
    for answers in rotate_answers(items, ["pair"] * 2, 20, 0):
        assert sorted(answers.tolist()) == [0, 1]


@settings(max_examples=150, deadline=None)
@given(grouped_items(), st.integers(0, 99))
def test_credits_of_groups_are_those_with_rotated_answers(items: Items, seed: int) -> None:
    rng = np.random.default_rng(seed)
    earned = [rng.integers(0, 3, len(item.choices)).tolist() for item in items]
    groups = group_names(items)
    rotations = build_rotations(items, groups)
    members = defaultdict(list)
    for index, group in enumerate(groups):
        members[group].append(index)
    totals = rotate_credits(items, groups, earned)
    assert len(totals) == len(members)
    n_groups = len(members)
    for total, indices in zip(totals, members.values(), strict=True):
        n_rotations = math.lcm(*(len(items[i].choices) for i in indices))
        expected = [
            sum(earned[i][rotations.rotate(np.full(n_groups, step))[i]] for i in indices)
            for step in range(n_rotations)
        ]
        assert total.tolist() == expected
        assert total[0] == sum(earned[i][items[i].answer or 0] for i in indices)


def mixed_items(sizes: Sequence[int], group: str = "mixed") -> Items:
    return tuple(Item(f"{group} {m}", {}, tuple(f"{k}" for k in range(m)), 1, group) for m in sizes)


def test_groups_with_too_many_rotations_count_as_their_first_item() -> None:
    """Of these sizes there are 360,360."""
    items = mixed_items((5, 7, 8, 9, 11, 13))
    earned = [[float(k) for k in range(len(item.choices))] for item in items]
    (credits,) = rotate_credits(items, group_names(items), earned)
    assert credits.tolist() == [1, 2, 3, 4, 0]


@pytest.mark.parametrize("sizes", [(7, 8, 9, 10), (3000, 3000)])
def test_all_rotations_of_few_choices_or_of_one_size_are_listed(sizes: tuple[int, ...]) -> None:
    items = mixed_items(sizes)
    (credits,) = rotate_credits(items, group_names(items), [[0.0] * m for m in sizes])
    assert credits.size == math.lcm(*sizes)


def test_seeds_repeat() -> None:
    items = tuple(Item(f"{i}", {}, ("a", "b", "c"), i % 3) for i in range(20))
    names = [item.id for item in items]
    first, again, other = (
        np.stack([*rotate_answers(items, names, 4, seed)]).tolist() for seed in (1, 1, 2)
    )
    assert first == again != other


@pytest.mark.parametrize("groups", [[None, None], ["g", "g"]])
def test_items_without_a_group_rotate_by_themselves(groups: list[str | None]) -> None:
    items = tuple(Item(f"{i}", {}, ("a", "b"), 0) for i in range(2))
    seen = {tuple(a.tolist()) for a in rotate_answers(items, groups, 60, 0)}
    assert seen == ({(0, 0), (1, 1)} if groups[0] else {(0, 0), (0, 1), (1, 0), (1, 1)})
