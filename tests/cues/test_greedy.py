from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import build_layout, count_cues
from hansproof.cues.greedy import GreedySearch, GroupContributions
from hansproof.cues.mirror_order import MirrorOrder
from hansproof.cues.null_band import NullBand
from hansproof.cues.strength import MIRRORED, REMOVED, UNCHANGED, collect_ngrams
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item, Items

from ..support.cue_factories import some_items

WORD = get_tokenizer("word")
BOTH = {1: 1.0, 2: 0.5}


def shares(items: Items) -> GroupContributions:
    where = build_layout(items)
    cue_sets = [collect_ngrams(counts, where) for counts in count_cues(items, WORD, 2, where)]
    return GroupContributions.from_cues(items, cue_sets, where)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), m=st.sampled_from([2, 3, 5]))
def test_what_is_beyond_chance_is_the_strength_less_its_mean(seed: int, m: int) -> None:
    items = some_items(seed, 50, (m,), telling=0.7)
    one = NullBand.from_ngrams(items, WORD, 1, 3200, 0).initial[0]
    found = GreedySearch(shares(items), {1: 1.0}).total_excess()
    # the mean is drawn, and so is known to a few of its standard errors
    error = (one.null_high - one.null_low) / 3.92 / 3200**0.5
    assert found == pytest.approx(one.value - one.null_mean, abs=5 * error)


def lone_words(n: int, m: int) -> Items:
    """Right choices have more words that stand nowhere else."""
    return tuple(
        Item(f"{i}", {}, tuple(" ".join(f"w{i}x{j}x{k}" for k in range(2 if j else 5))
                               for j in range(m)), 0)
        for i in range(n)
    )  # fmt: skip


def test_words_that_stand_nowhere_else_tell_by_their_number() -> None:
    """Of more than two choices: a hit adds more to the strength than a miss."""
    items = lone_words(30, 3)
    band = NullBand.from_ngrams(items, WORD, 1, 199, 0)
    assert band.initial[0].is_above_band()
    assert not band.shares.find_balanced().any()
    assert len(MirrorOrder.from_ngrams(items, WORD, ngram=1).order) == 30
    assert "w0x0x0" in band.strongest_cues(np.array([0]), 5)[0]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000))
def test_the_first_to_go_is_the_best_of_all(seed: int) -> None:
    items = some_items(seed, 30, (2, 3), telling=0.8)
    part = shares(items)
    (best,) = GreedySearch(part, BOTH).take_out(np.arange(30), -np.inf, 1)

    def after(one: int) -> float:
        search = GreedySearch(part, BOTH)
        search.remove_all(np.array([one]))
        return search.total_excess()

    assert after(int(best)) == pytest.approx(min(after(one) for one in range(30)))


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000))
def test_what_goes_and_comes_back_leaves_no_trace(seed: int) -> None:
    items = some_items(seed, 30, (2, 4), telling=0.8)
    search = GreedySearch(shares(items), BOTH)
    before = search.total_excess()
    out = search.take_out(np.arange(30), -np.inf, 12)
    assert out.size == 12
    assert sorted(search.put_back(out)) == sorted(out)
    assert search.total_excess() == pytest.approx(before)


def test_groups_go_together_and_balanced_ones_say_nothing() -> None:
    items = some_items(1, 20, (2,), telling=0.9)
    pairs = tuple(
        replace(item, id=f"{item.id}{answer}", group=item.id, answer=answer)
        for item in items[:10]
        for answer in (0, 1)
    )
    part = shares((*pairs, *items[10:]))
    assert part.size.tolist() == [2] * 10 + [1] * 10
    assert part.find_balanced()[:10].all()
    assert not part.find_balanced()[10:].all()


def test_mirroring_goes_down_to_chance_and_stays_there() -> None:
    items = some_items(2, 300, (2,), telling=0.75)
    band = NullBand.from_ngrams(items, WORD, 2, 199, 0)
    assert band.initial[0].is_above_band()
    order = MirrorOrder.from_ngrams(items, WORD, randomisations=199).order
    assert len(set(order.tolist())) == order.size
    enough = band.groups_needed(order, MIRRORED)
    assert 0 < enough < 150
    assert not band.is_inside(band.make_states(order[: enough - 1], MIRRORED))
    for many in range(enough, order.size, 20):
        assert band.is_inside(band.make_states(order[:many], MIRRORED))
        words = band.strengths(band.make_states(order[:many], MIRRORED))[0]
        assert words.value > words.null_mean - 2 * (words.null_mean - words.null_low)
    shuffled = np.random.default_rng(0).permutation(order)
    assert band.groups_needed(shuffled, MIRRORED) > enough
    ids = MirrorOrder.from_ngrams(items, WORD).item_ids()
    assert ids[:5] == [items[at].id for at in order[:5]]
    assert sorted(ids) == sorted(item.id for item in items)


def test_the_words_of_a_group_are_those_that_tell() -> None:
    items = some_items(2, 300, (2,), telling=0.9)
    band = NullBand.from_ngrams(items, WORD, 1, 64, 0)
    for at, item in enumerate(items[:40]):
        if "tell" in item.choices[item.answer or 0].split():
            assert "tell" in band.strongest_cues(np.array([at]), 4)[0]


def test_states() -> None:
    items = some_items(2, 6, (2,))
    band = NullBand.from_ngrams(items, WORD, 1, 64, 0)
    assert band.make_states(np.array([1, 4]), REMOVED).tolist() == [
        UNCHANGED,
        REMOVED,
        UNCHANGED,
        UNCHANGED,
        REMOVED,
        UNCHANGED,
    ]
