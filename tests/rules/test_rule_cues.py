"""Rules as cues: what they pick, and the order in which to mirror items against them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import answer_array, build_layout
from hansproof.cues.significant_cues import SignificantCues
from hansproof.cues.strength import MIRRORED
from hansproof.rules.rule import NO_PICK
from hansproof.rules.rule_cues import collect_picks, order_by_rules
from hansproof.stats import group_numbers
from hansproof.text.tokenizers import get_tokenizer

from ..support.quiz_factories import uneven_quiz
from ..support.rule_factories import random_items

WORD = get_tokenizer("word")


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 999), n=st.integers(1, 40), n_rules=st.integers(0, 4))
def test_a_rule_applies_where_it_picks_and_hits_where_that_is_right(
    seed: int, n: int, n_rules: int
) -> None:
    items = random_items(seed, n)
    layout, rng = build_layout(items), np.random.default_rng(seed)
    places = [[rng.integers(-1, len(item.choices)) for item in items] for _ in range(n_rules)]
    picks = [
        np.array([NO_PICK if k < 0 else layout.first[i] + k for i, k in enumerate(row)], np.int64)
        for row in places
    ]
    names = [f"rule {k}" for k in range(n_rules)]
    cues = collect_picks(names, picks, layout)
    assert [cues.name(k) for k in range(cues.incidence.cues)] == names
    group = group_numbers([None] * n)
    flags = SignificantCues.from_cues(cues, group, layout.chance, 0.05).make_counter()
    answers = answer_array(items).tolist()
    assert flags.n.tolist() == [sum(k >= 0 for k in row) for row in places]
    assert flags.hits.tolist() == [
        sum(k == answer for k, answer in zip(row, answers, strict=True)) for row in places
    ]


def test_items_that_the_rule_gives_away_come_first() -> None:
    items = uneven_quiz(1, 160, share=0.7)
    mirroring = order_by_rules(items, WORD, randomisations=99)
    assert any("long" in name for name in mirroring.cues.names)
    first = [items[i] for i in mirroring.order[:40]]
    assert all(max(item.choices, key=len) == item.choices[item.answer or 0] for item in first)
    enough = mirroring.band.groups_needed(mirroring.order, MIRRORED)
    assert 0 < enough < 140
    shuffled = np.random.default_rng(0).permutation(mirroring.order)
    assert mirroring.band.groups_needed(shuffled, MIRRORED) > enough


@pytest.mark.parametrize("n", [1, 60])
def test_without_rules_there_is_no_order(n: int) -> None:
    mirroring = order_by_rules(uneven_quiz(9, n, share=0.0), WORD, randomisations=99)
    assert mirroring.order.size == 0
    assert mirroring.cues.names == []
    assert sorted(mirroring.item_ids()) == sorted(f"q{i}" for i in range(n))
