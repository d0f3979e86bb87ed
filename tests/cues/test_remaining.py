"""What is left when items are mirrored or go, beside counting the changed items anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues import tested as tests
from hansproof.cues.counts import Counts, count, layout
from hansproof.cues.flagged import Flagged
from hansproof.cues.strength import GONE, KEPT, MIRRORED, Rows, Strength, aggregate, dealt
from hansproof.probes.priority.curve import copies
from hansproof.stats import group_numbers
from hansproof.text import tokenizer
from hansproof.training.units import units
from hansproof.types import Items

from .made import some_items

WORD = tokenizer("word")

seeds = st.integers(0, 10_000)


def changed(items: Items, states: np.ndarray) -> Items:
    """The items as the states say, written out."""
    out = []
    for item, state in zip(items, states, strict=True):
        if state == KEPT:
            out.append(item)
        elif state == MIRRORED:
            out += copies(item)
    return tuple(out)


def strength(items: Items, tied: list[str], counts: Counts, states: np.ndarray, n: int) -> Strength:
    rows = Rows.of(items, counts, layout(items))
    return rows.strength(states, dealt(items, tied, n, 0), n)


@settings(max_examples=30, deadline=None)
@given(seed=seeds, choices=st.sampled_from([(2,), (3,), (2, 3, 4)]))
def test_the_strength_is_that_of_the_changed_items(seed: int, choices: tuple[int, ...]) -> None:
    items = some_items(seed, 40, choices)
    states = np.random.default_rng(seed).choice([KEPT, MIRRORED, GONE], 40).astype(np.int8)
    after = changed(items, states)
    if not after:
        return
    where, new = layout(items), layout(after)
    for order in (0, 1):
        one = count(items, WORD, 2, where)[order]
        left = strength(items, units(items), one, states, 9)
        again = aggregate(after, units(after), count(after, WORD, 2, new)[order], new, 9, 0)
        assert left.value == pytest.approx(again.value)


def test_the_null_is_that_of_the_changed_items() -> None:
    items = some_items(3, 60, (2,))
    states = np.array([KEPT, MIRRORED, GONE] * 20, np.int8)
    after = changed(items, states)
    where, new = layout(items), layout(after)
    (one,) = count(items, WORD, 1, where)
    left = strength(items, [i.id for i in items], one, states, 6400)
    tied = [i.group or i.id for i in after]
    again = aggregate(after, tied, count(after, WORD, 1, new)[0], new, 6400, 1)
    assert left.null_mean == pytest.approx(again.null_mean, rel=0.01)
    assert left.null_high == pytest.approx(again.null_high, rel=0.03)
    assert left.p == pytest.approx(again.p, abs=0.02)


@settings(max_examples=30, deadline=None)
@given(seed=seeds, choices=st.sampled_from([(2,), (3,), (2, 3)]))
def test_flags_are_those_of_the_changed_items(seed: int, choices: tuple[int, ...]) -> None:
    items = some_items(seed, 60, choices, telling=0.8)
    rng = np.random.default_rng(seed)
    states = rng.choice([KEPT, MIRRORED, GONE], 60, p=[0.7, 0.2, 0.1])
    cues, group = flagged(items)
    flags = cues.counted(group[states == GONE], group[states == MIRRORED]).flags()
    after = changed(items, states)
    where = layout(after)
    (tested,) = tests.corrected([tests.Tested.of(count(after, WORD, 2, where), where, 0.05)], 0.05)
    assert flags.tested == tested.testable.sum()
    names = {tested.name(i) for i in np.flatnonzero(tested.telling | tested.eliminating)}
    assert {cues.names[i] for i in np.flatnonzero(flags.flagged)} == names


@settings(max_examples=30, deadline=None)
@given(seed=seeds)
def test_counts_kept_up_to_date_are_those_counted_anew(seed: int) -> None:
    items = some_items(seed, 40, (2, 3), telling=0.8)
    cues, group = flagged(items)
    rng = np.random.default_rng(seed)
    gone, copied = np.zeros(40, np.bool_), np.zeros(40, np.bool_)
    tally = cues.counted()
    for at in rng.permutation(40)[:15]:
        if rng.random() < 0.4:
            tally.mirror(int(at))
            copied[at] = True
        else:
            tally.change(int(at), -1)
            gone[at] = True
            if rng.random() < 0.3:
                tally.change(int(at), 1)
                gone[at] = False
        anew = cues.counted(np.flatnonzero(gone), np.flatnonzero(copied))
        assert tally.p == pytest.approx(anew.p)
        assert (tally.n == anew.n).all()
        assert tally.any() == anew.flags().flagged.any()
    assert group.tolist() == list(range(40))


def flagged(items: Items) -> tuple[Flagged, np.ndarray]:
    group = group_numbers([item.group for item in items])
    return Flagged(items, group, {"all": np.arange(len(items))}, WORD, 2, 0.05), group


def test_parts_are_corrected_together() -> None:
    items = some_items(5, 200, (2,), telling=0.75)
    parts = {"a": np.arange(80), "b": np.arange(80, 200), "pooled": np.arange(200)}
    cues = Flagged(items, group_numbers([None] * 200), parts, WORD, 2, 0.05)
    flags = cues.counted().flags()
    tested = []
    for where in parts.values():
        own = tuple(replace(items[at]) for at in where)
        tested.append(tests.Tested.of(count(own, WORD, 2, layout(own)), layout(own), 0.05))
    expected = sum(int((t.telling | t.eliminating).sum()) for t in tests.corrected(tested, 0.05))
    assert flags.flagged.sum() == expected > 0
