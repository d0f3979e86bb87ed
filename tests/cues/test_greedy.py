from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.band import Band
from hansproof.cues.counts import count, layout
from hansproof.cues.first import Mirroring
from hansproof.cues.greedy import Search, Shares
from hansproof.cues.strength import GONE, KEPT, MIRRORED
from hansproof.text import tokenizer
from hansproof.types import Item, Items

from .made import some_items

WORD = tokenizer("word")
BOTH = {1: 1.0, 2: 0.5}


def shares(items: Items) -> Shares:
    where = layout(items)
    return Shares.of(items, count(items, WORD, 2, where), where)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), m=st.sampled_from([2, 3, 5]))
def test_what_is_beyond_chance_is_the_strength_less_its_mean(seed: int, m: int) -> None:
    items = some_items(seed, 50, (m,), telling=0.7)
    one = Band(items, WORD, 1, 3200, 0).start[0]
    found = Search(shares(items), {1: 1.0}).excess()
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
    band = Band(items, WORD, 1, 199, 0)
    assert band.start[0].beyond()
    assert not band.shares.balanced().any()
    assert len(Mirroring.of(items, WORD, ngram=1).order) == 30
    assert "w0x0x0" in band.words(np.array([0]), 5)[0]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000))
def test_the_first_to_go_is_the_best_of_all(seed: int) -> None:
    items = some_items(seed, 30, (2, 3), telling=0.8)
    part = shares(items)
    (best,) = Search(part, BOTH).take_out(np.arange(30), -np.inf, 1)

    def after(one: int) -> float:
        search = Search(part, BOTH)
        search.without(np.array([one]))
        return search.excess()

    assert after(int(best)) == pytest.approx(min(after(one) for one in range(30)))


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000))
def test_what_goes_and_comes_back_leaves_no_trace(seed: int) -> None:
    items = some_items(seed, 30, (2, 4), telling=0.8)
    search = Search(shares(items), BOTH)
    before = search.excess()
    out = search.take_out(np.arange(30), -np.inf, 12)
    assert out.size == 12
    assert sorted(search.put_back(out)) == sorted(out)
    assert search.excess() == pytest.approx(before)


def test_groups_go_together_and_balanced_ones_say_nothing() -> None:
    items = some_items(1, 20, (2,), telling=0.9)
    pairs = tuple(
        replace(item, id=f"{item.id}{answer}", group=item.id, answer=answer)
        for item in items[:10]
        for answer in (0, 1)
    )
    part = shares((*pairs, *items[10:]))
    assert part.size.tolist() == [2] * 10 + [1] * 10
    assert part.balanced()[:10].all()
    assert not part.balanced()[10:].all()


def test_mirroring_goes_down_to_chance_and_stays_there() -> None:
    items = some_items(2, 300, (2,), telling=0.75)
    band = Band(items, WORD, 2, 199, 0)
    assert band.start[0].beyond()
    order = Mirroring.of(items, WORD, randomisations=199).order
    assert len(set(order.tolist())) == order.size
    enough = band.enough(order, MIRRORED)
    assert 0 < enough < 150
    assert not band.inside(band.states(order[: enough - 1], MIRRORED))
    for many in range(enough, order.size, 20):
        assert band.inside(band.states(order[:many], MIRRORED))
        words = band.strengths(band.states(order[:many], MIRRORED))[0]
        assert words.value > words.null_mean - 2 * (words.null_mean - words.null_low)
    shuffled = np.random.default_rng(0).permutation(order)
    assert band.enough(shuffled, MIRRORED) > enough
    ids = Mirroring.of(items, WORD).ids()
    assert ids[:5] == [items[at].id for at in order[:5]]
    assert sorted(ids) == sorted(item.id for item in items)


def test_the_words_of_a_group_are_those_that_tell() -> None:
    items = some_items(2, 300, (2,), telling=0.9)
    band = Band(items, WORD, 1, 64, 0)
    for at, item in enumerate(items[:40]):
        if "tell" in item.choices[item.answer or 0].split():
            assert "tell" in band.words(np.array([at]), 4)[0]


def test_states() -> None:
    items = some_items(2, 6, (2,))
    band = Band(items, WORD, 1, 64, 0)
    assert band.states(np.array([1, 4]), GONE).tolist() == [KEPT, GONE, KEPT, KEPT, GONE, KEPT]
