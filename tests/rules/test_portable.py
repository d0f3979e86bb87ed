"""Rules applied to other items than those they were found in."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.rules import confirm
from hansproof.rules.portable import PortableRule, collect_rules
from hansproof.rules.rule import NO_PICK, Rule, pick_choices
from hansproof.types import Items

from ..support.rule_factories import build_columns, climb, planted_items, random_items

ITEMS = st.builds(random_items, st.integers(0, 999), st.integers(20, 60))


def make_tested(
    items: Items, features: tuple[int, ...], negated: tuple[bool, ...]
) -> confirm.TestedRule:
    columns = build_columns(items)
    rule = Rule(features, negated)
    picks = pick_choices(
        rule.combine_columns([columns.column(f) for f in features]), columns.layout
    )
    return confirm.TestedRule(rule, picks, True, np.zeros(0, np.int64), 0, 0.0, 1.0)


@settings(max_examples=15, deadline=None)
@given(items=ITEMS, data=st.data())
def test_it_picks_the_same_where_it_was_found(items: Items, data: st.DataObject) -> None:
    columns = build_columns(items)
    n = int(columns.offsets[-1])
    features = tuple(data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=3)))
    negated = (False, *(data.draw(st.booleans()) for _ in features[1:]))
    rule = make_tested(items, features, negated)
    portable = PortableRule.from_tested(rule, columns)
    assert portable.pick(columns).tolist() == rule.picks.tolist()
    assert portable.describe() == rule.rule.describe([columns.name(f) for f in features])
    assert portable.rungs == {columns.rung_of([f]) for f in features}


@settings(max_examples=15, deadline=None)
@given(items=ITEMS)
def test_labels_and_numbers_agree(items: Items) -> None:
    columns = build_columns(items)
    assert len(columns.number_of) == int(columns.offsets[-1])
    assert all(columns.label(number) == label for label, number in columns.number_of.items())


def test_it_picks_by_the_words_of_other_items() -> None:
    found = climb(planted_items(1, 200, ["loud"], "and", noise=0.1))
    (rule,) = collect_rules(found, 0.05)
    assert rule.describe() == "the only choice with “loud”"
    others = planted_items(2, 80, ["loud"], "and", m=3)
    columns = build_columns(others)
    picks = rule.pick(columns) - columns.layout.first[:-1]
    assert picks.tolist() == [item.answer for item in others]


def test_a_feature_that_others_lack_picks_nothing() -> None:
    (rule,) = collect_rules(climb(planted_items(1, 200, ["loud"], "and", noise=0.1)), 0.05)
    columns = build_columns(planted_items(2, 80, ["tame"], "and"))
    assert (rule.pick(columns) == NO_PICK).all()


def test_without_significant_rules_there_are_none() -> None:
    found = climb(random_items(5, 60))
    assert collect_rules(found, 1e-9) == []
    assert np.isfinite(found.p)
