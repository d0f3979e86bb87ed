"""What is left when items are mirrored or go, beside counting the changed items anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues import significance as tests
from hansproof.cues.counts import CueCounts, build_layout, count_cues
from hansproof.cues.significant_cues import SignificantCues
from hansproof.cues.strength import (
    MIRRORED,
    REMOVED,
    UNCHANGED,
    CueRows,
    CueStrength,
    aggregate_strength,
    collect_ngrams,
    iter_null_answers,
)
from hansproof.probes.priority.blind_models import mirror_copies
from hansproof.stats import group_numbers
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Items

from ..support.cue_factories import significant_cues, some_items

WORD = get_tokenizer("word")

seeds = st.integers(0, 10_000)


def changed(items: Items, states: np.ndarray) -> Items:
    """The items as the states say, written out."""
    out = []
    for item, state in zip(items, states, strict=True):
        if state == UNCHANGED:
            out.append(item)
        elif state == MIRRORED:
            out += mirror_copies(item)
    return tuple(out)


def strength(
    items: Items, tied: list[str], counts: CueCounts, states: np.ndarray, n: int
) -> CueStrength:
    where = build_layout(items)
    rows = CueRows.from_cues(items, collect_ngrams(counts, where), where)
    return rows.compute_strength(states, iter_null_answers(items, tied, n, 0), n)


@settings(max_examples=30, deadline=None)
@given(seed=seeds, choices=st.sampled_from([(2,), (3,), (2, 3, 4)]))
def test_the_strength_is_that_of_the_changed_items(seed: int, choices: tuple[int, ...]) -> None:
    items = some_items(seed, 40, choices)
    states = np.random.default_rng(seed).choice([UNCHANGED, MIRRORED, REMOVED], 40).astype(np.int8)
    after = changed(items, states)
    if not after:
        return
    where, new = build_layout(items), build_layout(after)
    for order in (0, 1):
        one = count_cues(items, WORD, 2, where)[order]
        left = strength(items, find_leakage_groups(items), one, states, 9)
        again = aggregate_strength(
            after, find_leakage_groups(after), count_cues(after, WORD, 2, new)[order], new, 9, 0
        )
        assert left.value == pytest.approx(again.value)


def test_the_null_is_that_of_the_changed_items() -> None:
    items = some_items(3, 60, (2,))
    states = np.array([UNCHANGED, MIRRORED, REMOVED] * 20, np.int8)
    after = changed(items, states)
    where, new = build_layout(items), build_layout(after)
    (one,) = count_cues(items, WORD, 1, where)
    left = strength(items, [i.id for i in items], one, states, 6400)
    tied = [i.group or i.id for i in after]
    again = aggregate_strength(after, tied, count_cues(after, WORD, 1, new)[0], new, 6400, 1)
    assert left.null_mean == pytest.approx(again.null_mean, rel=0.01)
    assert left.null_high == pytest.approx(again.null_high, rel=0.03)
    assert left.p == pytest.approx(again.p, abs=0.02)


@settings(max_examples=30, deadline=None)
@given(seed=seeds, choices=st.sampled_from([(2,), (3,), (2, 3)]))
def test_flags_are_those_of_the_changed_items(seed: int, choices: tuple[int, ...]) -> None:
    items = some_items(seed, 60, choices, telling=0.8)
    rng = np.random.default_rng(seed)
    states = rng.choice([UNCHANGED, MIRRORED, REMOVED], 60, p=[0.7, 0.2, 0.1])
    cues, group = significant_cues(items)
    flags = cues.make_counter(group[states == REMOVED], group[states == MIRRORED]).compute_flags()
    after = changed(items, states)
    where = build_layout(after)
    (tested,) = tests.correct_tests(
        [tests.CueTests.from_counts(count_cues(after, WORD, 2, where), where, 0.05)], 0.05
    )
    assert flags.n_tested == tested.testable.sum()
    names = {tested.cue_text(i) for i in np.flatnonzero(tested.telling | tested.eliminating)}
    assert {cues.names[i] for i in np.flatnonzero(flags.is_significant)} == names


@settings(max_examples=30, deadline=None)
@given(seed=seeds)
def test_counts_kept_up_to_date_are_those_counted_anew(seed: int) -> None:
    items = some_items(seed, 40, (2, 3), telling=0.8)
    cues, group = significant_cues(items)
    rng = np.random.default_rng(seed)
    gone, copied = np.zeros(40, np.bool_), np.zeros(40, np.bool_)
    tally = cues.make_counter()
    for at in rng.permutation(40)[:15]:
        if rng.random() < 0.4:
            tally.mirror_group(int(at))
            copied[at] = True
        else:
            tally.change_group(int(at), -1)
            gone[at] = True
            if rng.random() < 0.3:
                tally.change_group(int(at), 1)
                gone[at] = False
        anew = cues.make_counter(np.flatnonzero(gone), np.flatnonzero(copied))
        assert tally.p == pytest.approx(anew.p)
        assert (tally.n == anew.n).all()
        assert tally.any_significant() == anew.compute_flags().is_significant.any()
    assert group.tolist() == list(range(40))


def test_parts_are_corrected_together() -> None:
    items = some_items(5, 200, (2,), telling=0.75)
    parts = {"a": np.arange(80), "b": np.arange(80, 200), "pooled": np.arange(200)}
    cues = SignificantCues.from_ngrams(items, group_numbers([None] * 200), parts, WORD, 2, 0.05)
    flags = cues.make_counter().compute_flags()
    tested = []
    for where in parts.values():
        own = tuple(replace(items[at]) for at in where)
        tested.append(
            tests.CueTests.from_counts(
                count_cues(own, WORD, 2, build_layout(own)), build_layout(own), 0.05
            )
        )
    expected = sum(
        int((t.telling | t.eliminating).sum()) for t in tests.correct_tests(tested, 0.05)
    )
    assert flags.is_significant.sum() == expected > 0
