"""The features of all rungs side by side."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import build_layout
from hansproof.rules import columns as columns_module
from hansproof.rules.columns import NOT_JOINED, FeatureColumns
from hansproof.rules.features import MIN_JOINED_ITEMS, FeatureBlock, build_mask_block
from hansproof.rules.rule import NO_PICK, Connective, Rule, pick_choices
from hansproof.types import Item, Items

from ..support.plain_search import fits_rule, pick_of
from ..support.rule_factories import build_columns, count_items, random_items

ITEMS = st.builds(random_items, st.integers(0, 999), st.integers(1, 40), copies=st.just(0.2))


@settings(max_examples=15, deadline=None)
@given(ITEMS)
def test_features_are_numbered_through(items: Items) -> None:
    columns = build_columns(items)
    n = int(columns.layout.item.size)
    feature = 0
    for block in columns.blocks:
        for own in range(block.size):
            assert columns.name(feature) == block.name(own)
            assert columns.rung_of([feature]) == block.rung
            column = columns.column(feature)
            assert column.tolist() == block.column(own, n).tolist()
            rows = columns.choice[columns.feature == feature].tolist()
            # a ranker's rows: without the items in which all choices have it
            sizes = np.add.reduceat(column.astype(int), columns.layout.first[:-1])
            is_shared = sizes == np.diff(columns.layout.first)
            assert rows == np.flatnonzero(column & ~is_shared[columns.layout.item]).tolist()
            feature += 1
    assert feature == columns.offsets[-1]


@settings(max_examples=15, deadline=None)
@given(ITEMS)
def test_the_matrix_has_the_columns_of_joined_features(items: Items) -> None:
    columns = build_columns(items)
    assert columns.matrix.shape == (columns.layout.item.size, columns.joined_features.size)
    for k, feature in enumerate(columns.joined_features.tolist()):
        assert columns.matrix[:, k].tolist() == columns.column(feature).astype(float).tolist()
        assert count_items(columns.column(feature).tolist(), items)[1] >= MIN_JOINED_ITEMS


@settings(max_examples=15, deadline=None)
@given(st.builds(random_items, st.integers(0, 999), st.just(60)), st.integers(1, 6))
def test_of_many_features_those_are_joined_that_tell_most_choices_apart(
    items: Items, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns_module, "MAX_JOINED", {"words": most})
        columns = build_columns(items)
        joined = [f for f in columns.joined_features.tolist() if columns.rung_of([f]) == "words"]
    assert len(joined) <= most

    def use(feature: int) -> float:
        telling, total = count_items(columns.column(feature).tolist(), items)
        return telling + (total - telling) / 2 if total >= MIN_JOINED_ITEMS else 0

    position = [block.rung for block in columns.blocks].index("words")
    features = range(int(columns.offsets[position]), int(columns.offsets[position + 1]))
    left_out = [use(f) for f in features if f not in joined]
    if len(joined) == most:
        assert min(map(use, joined)) >= max(left_out, default=0)


def one_feature_blocks(*rungs: str) -> FeatureColumns:
    items = tuple(Item(f"{i}", {}, ("a", "b"), 0) for i in range(20))
    layout = build_layout(items)
    masks = {"first": np.arange(40) % 2 == 0, "second": np.arange(40) % 2 == 1}
    blocks: list[FeatureBlock] = [build_mask_block(rung, masks, layout) for rung in rungs]
    return FeatureColumns(tuple(blocks), layout)


def test_a_rule_belongs_to_its_highest_rung() -> None:
    columns = one_feature_blocks("typography", "words", "pairs", "relations")
    rungs = {
        (0,): "typography", (2,): "words", (2, 0): "words", (2, 3): "pairs", (3, 2, 0): "pairs",
        (2, 4): "pairs", (2, 3, 6): "relations", (1, 7): "relations",
    }  # fmt: skip
    assert {features: columns.rung_of(features) for features in rungs} == rungs
    assert one_feature_blocks("typography", "words").rung_of((2, 3)) == "words"


def test_what_nobody_can_read_is_not_joined() -> None:
    columns = one_feature_blocks("typography", *NOT_JOINED)
    assert columns.joined_features.tolist() == [0, 1]


@settings(max_examples=40, deadline=None)
@given(ITEMS, st.integers(0, 99), st.sampled_from(["and", "xor"]), st.integers(1, 3))
def test_a_rule_picks_the_only_choice_that_fits(
    items: Items, seed: int, connective: Connective, n_features: int
) -> None:
    columns = build_columns(items)
    n_features = 2 if connective == "xor" else n_features
    if not columns.offsets[-1]:
        return
    rng = np.random.default_rng(seed)
    features = tuple(int(f) for f in rng.integers(columns.offsets[-1], size=n_features))
    negated = (False, *(bool(no) for no in rng.integers(2, size=n_features - 1)))
    rule = Rule(features, negated, connective)
    fits = rule.combine_columns([columns.column(f) for f in features])
    plain = fits_rule(columns, rule)
    assert fits.tolist() == [plain(row) for row in range(fits.size)]
    picks = [pick_of(columns, plain, item) for item in range(len(items))]
    expected = [NO_PICK if pick is None else pick for pick in picks]
    assert pick_choices(fits, columns.layout).tolist() == expected
