"""Exact tests of picks, beside a list of all answers that are as likely."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import answer_array, build_layout
from hansproof.cues.permutation import AnswerRotations, build_rotations
from hansproof.rules import pick_tests
from hansproof.rules.features import Ints
from hansproof.rules.pick_tests import PickTester, make_tester, top_picks
from hansproof.rules.rule import NO_PICK
from hansproof.stats.binomial import binomial_sf
from hansproof.types import Item, Items

TEXTS = "abcdefg"


@st.composite
def picked_items(
    draw: st.DrawFn,
    sizes: Sequence[int] = (2, 3, 4),
    most: int = 6,
    groups: Sequence[str | None] = ("g", "h", None),
) -> tuple[Items, Ints]:
    """Items in groups, and what a rule picks in them."""
    items, picks, first = [], [], 0
    for i in range(draw(st.integers(1, most))):
        m = draw(st.sampled_from(sizes))
        group = draw(st.sampled_from(groups))
        texts = tuple(draw(st.permutations(TEXTS[:m])))
        items.append(Item(f"{i}", {}, texts, draw(st.integers(0, m - 1)), group))
        place = draw(st.integers(-1, m - 1))
        picks.append(NO_PICK if place < 0 else first + place)
        first += m
    return tuple(items), np.array(picks)


CASES = picked_items() | picked_items((3,), 7, ("g", "h"))  # which may be right as by chance


def prepare(items: Items) -> tuple[PickTester, AnswerRotations]:
    rotations = build_rotations(items, [item.group for item in items])
    return make_tester(build_layout(items), rotations), rotations


def all_answers(items: Items, rotations: AnswerRotations) -> list[Ints]:
    """The answers after each combination of rotations of the groups; all are as likely."""
    steps = [
        range(math.lcm(*(len(item.choices) for item, g in
                         zip(items, rotations.group, strict=True) if g == group)))
        for group in range(int(rotations.group.max()) + 1)
    ]  # fmt: skip
    return [rotations.rotate(np.array(combination)) for combination in product(*steps)]


def unit_signs(items: Items, picks: Ints, group: Ints, answers: Ints, sign: int) -> list[int]:
    """By group: is the rule right more or less often than by chance?"""
    first = build_layout(items).first.tolist()
    totals: dict[int, float] = {}
    for i, item in enumerate(items):
        if picks[i] != NO_PICK:
            hit = picks[i] == first[i] + answers[i]
            surplus = sign * (float(hit) - 1 / len(item.choices))
            totals[group[i]] = totals.get(group[i], 0.0) + surplus
    return [(t > 1e-9) - (t < -1e-9) for t in totals.values()]


def check_small_p_are_rare(
    tester: PickTester, items: Items, picks: Ints, equally_likely: Sequence[Ints], is_telling: bool
) -> None:
    tested = np.ones(len(items), np.bool_)
    p = [tester.test(picks, answers, tested, is_telling) for answers in equally_likely]
    for level in {*p}:
        assert np.mean(np.array(p) <= level + 1e-12) <= level + 1e-9


@settings(max_examples=80, deadline=None)
@given(CASES, st.booleans())
def test_among_all_rotations_a_small_p_is_as_rare_as_it_says(
    case: tuple[Items, Ints], is_telling: bool
) -> None:
    """Also where groups rotate together, and where items differ in their number of choices."""
    items, picks = case
    tester, rotations = prepare(items)
    check_small_p_are_rare(tester, items, picks, all_answers(items, rotations), is_telling)


@settings(max_examples=80, deadline=None)
@given(CASES, st.booleans())
def test_p_is_the_tail_of_the_successes(case: tuple[Items, Ints], is_telling: bool) -> None:
    """Exactly, given the groups that count, where their odds agree; else p is larger."""
    items, picks = case
    tester, rotations = prepare(items)
    answers, sign = answer_array(items), 1 if is_telling else -1
    p = tester.test(picks, answers, np.ones(len(items), np.bool_), is_telling)
    group = rotations.group
    observed = unit_signs(items, picks, group, answers, sign)
    outcomes = [unit_signs(items, picks, group, a, sign) for a in all_answers(items, rotations)]
    alike = [o for o in outcomes if [bool(s) for s in o] == [bool(s) for s in observed]]
    tail = np.mean([o.count(1) >= observed.count(1) for o in alike])
    odds = [np.mean([o[k] > 0 for o in alike]) for k, s in enumerate(observed) if s]
    if odds and np.ptp(odds) > 1e-9:
        assert p >= tail - 1e-9
    else:
        assert p == pytest.approx(tail)


@settings(max_examples=60, deadline=None)
@given(picked_items(sizes=(5, 7), most=4), st.booleans())
def test_groups_with_too_many_rotations_to_list(case: tuple[Items, Ints], is_telling: bool) -> None:
    items, picks = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pick_tests, "MAX_ROTATIONS", 12)
        tester, rotations = prepare(items)
    check_small_p_are_rare(tester, items, picks, all_answers(items, rotations), is_telling)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 999), st.integers(2, 5), st.booleans())
def test_without_groups_it_is_the_binomial_test(seed: int, m: int, is_telling: bool) -> None:
    rng = np.random.default_rng(seed)
    items = tuple(Item(f"{i}", {}, tuple(TEXTS[:m]), int(rng.integers(m))) for i in range(30))
    picks = np.arange(30) * m + rng.integers(m, size=30)
    picks[rng.random(30) < 0.3] = NO_PICK
    tested = rng.random(30) < 0.7
    tester, _ = prepare(items)
    hits = n = 0
    for i, item in enumerate(items):
        if tested[i] and picks[i] != NO_PICK:
            n += 1
            hits += (picks[i] - i * m == item.answer) == is_telling
    chance = 1 / m if is_telling else 1 - 1 / m
    p = tester.test(picks, answer_array(items), tested, is_telling)
    assert p == pytest.approx(float(binomial_sf(hits, n, chance)))


def test_mirrored_pairs_say_nothing() -> None:
    items = tuple(
        Item(f"{i}{side}", {}, ("a", "b"), side, f"{i}") for i in range(20) for side in (0, 1)
    )
    tester, _ = prepare(items)
    picks = np.arange(40) * 2
    for is_telling in (True, False):
        answers = answer_array(items)
        assert tester.test(picks, answers, np.ones(40, np.bool_), is_telling) == 1.0
    copies = tuple(Item(i.id, {}, i.choices, 0, i.group) for i in items)
    p = prepare(copies)[0].test(picks, answer_array(copies), np.ones(40, np.bool_))
    assert p == pytest.approx(0.5**20)  # each pair is one answer


def test_items_that_are_not_tested_do_not_matter() -> None:
    items = tuple(Item(f"{i}", {}, ("a", "b", "c"), i % 3, f"g{i // 3}") for i in range(12))
    tester, _ = prepare(items)
    rng = np.random.default_rng(0)
    tested = np.arange(12) < 6
    picks = np.arange(12) * 3 + rng.integers(3, size=12)
    p = tester.test(picks, answer_array(items), tested)
    for _ in range(5):
        picks[6:] = 3 * np.arange(6, 12) + rng.integers(3, size=6)
        assert tester.test(picks, answer_array(items), tested) == p
    assert tester.test(picks, answer_array(items), np.zeros(12, np.bool_)) == 1.0
    assert tester.test(np.full(12, NO_PICK), answer_array(items), tested) == 1.0


def test_single_choices_prove_nothing() -> None:
    for groups in (None, "g"):
        items = tuple(Item(f"{i}", {}, ("a",), 0, groups) for i in range(9))
        tester, _ = prepare(items)
        for is_telling in (True, False):
            p = tester.test(np.arange(9), answer_array(items), np.ones(9, np.bool_), is_telling)
            assert p == 1.0


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=4), min_size=1))
def test_top_picks(rows: list[list[float]]) -> None:
    items = tuple(Item(f"{i}", {}, tuple(TEXTS[: len(row)]), 0) for i, row in enumerate(rows))
    layout = build_layout(items)
    picks = top_picks(np.array([value for row in rows for value in row]), layout)
    for row, pick, first in zip(rows, picks, layout.first[:-1], strict=True):
        is_clear = row.count(max(row)) == 1 < len(row)
        assert pick == (first + row.index(max(row)) if is_clear else NO_PICK)


def test_single_items_with_many_choices_count_beside_groups() -> None:
    many = tuple(f"w{k}" for k in range(pick_tests.MAX_ROTATIONS + 10))
    alone = tuple(Item(f"{i}", {}, many, i) for i in range(4))
    pair = tuple(Item(f"g{i}", {}, ("a", "b"), 0, "g") for i in range(2))
    items = (*alone, *pair)
    tester, _ = prepare(items)
    picks = build_layout(items).first[:-1] + answer_array(items)
    tested = np.arange(len(items)) < len(alone)
    assert tester.test(picks, answer_array(items), tested) == pytest.approx(len(many) ** -4)


def test_groups_with_too_many_rotations_count_as_their_first_item() -> None:
    """Pairs of an item with nine and one with ten choices have 90 rotations."""
    texts = tuple(f"w{k}" for k in range(10))
    items = tuple(
        Item(f"{i}{m}", {}, texts[:m], i % m, f"g{i}") for i in range(30) for m in (9, 10)
    )
    tester, _ = prepare(items)
    picks = build_layout(items).first[:-1] + answer_array(items)
    p = tester.test(picks, answer_array(items), np.ones(len(items), np.bool_))
    assert p == pytest.approx(9.0**-30)
