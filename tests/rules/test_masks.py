"""The features of every rung, beside their descriptions in plain Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.rules import frequency, place, relations, typography, word_classes, word_features
from hansproof.rules.features import min_items
from hansproof.rules.frequency import ChoiceLogs
from hansproof.types import Items

from ..support import plain_masks
from ..support.rule_factories import (
    block_columns,
    encode,
    kept_columns,
    odd_items,
    random_items,
)

examples = settings(max_examples=50, deadline=None)
LARGER = st.builds(random_items, st.integers(0, 999), st.integers(17, 24), copies=st.just(0.3))
ITEMS = odd_items() | LARGER


@examples
@given(ITEMS)
def test_typography(items: Items) -> None:
    texts, _, layout = encode(items)
    block = typography.typography_features(texts, layout)
    assert block_columns(block, layout) == kept_columns(plain_masks.typography(items), items)


@examples
@given(ITEMS)
def test_places(items: Items) -> None:
    _, _, layout = encode(items)
    block = place.place_features(layout)
    assert block_columns(block, layout) == kept_columns(plain_masks.places(items), items)


@examples
@given(ITEMS)
def test_words_and_their_neighbours(items: Items) -> None:
    _, encoded, layout = encode(items)
    for build, n in ((word_features.word_features, 1), (word_features.pair_features, 2)):
        expected = kept_columns(plain_masks.has_word(items, n), items)
        assert block_columns(build(encoded, layout), layout) == expected


@examples
@given(ITEMS)
def test_patterns(items: Items) -> None:
    _, encoded, layout = encode(items)
    block = word_features.pattern_features(encoded, layout)
    masks = plain_masks.patterns(items, 2 * min_items(len(items)))
    assert block_columns(block, layout) == kept_columns(masks, items)


@examples
@given(ITEMS)
def test_word_classes(items: Items) -> None:
    _, encoded, layout = encode(items)
    block = word_classes.class_features(encoded, layout)
    masks = plain_masks.classes(items)
    assert (block is None) == (masks is None)
    assert block_columns(block, layout) == kept_columns(masks or [], items)


@examples
@given(ITEMS)
def test_relations(items: Items) -> None:
    texts, encoded, layout = encode(items)
    block = relations.relation_features(texts, encoded, layout)
    assert block_columns(block, layout) == kept_columns(plain_masks.relations(items), items)


@examples
@given(ITEMS)
def test_frequencies(items: Items) -> None:
    _, encoded, layout = encode(items)
    block = frequency.frequency_features(encoded, layout)
    assert block_columns(block, layout) == kept_columns(plain_masks.frequencies(items), items)


@examples
@given(ITEMS, st.integers(0, 99), st.integers(1, 2))
def test_likelihoods(items: Items, seed: int, n_models: int) -> None:
    texts, _, layout = encode(items)
    rng = np.random.default_rng(seed)
    tables = [{text: (float(rng.choice([-3, -2.5, -2])), float(rng.choice([-40, -20, -5])))
               for text in texts} for _ in range(n_models)]  # fmt: skip
    logs = tuple(
        ChoiceLogs(f"m{k}", *(np.array([table[text][j] for text in texts]) for j in (1, 0)))
        for k, table in enumerate(tables)
    )
    block = frequency.likelihood_features(logs, layout)
    assert block_columns(block, layout) == kept_columns(
        plain_masks.likelihoods(items, tables), items
    )


def test_a_word_is_in_one_closed_class() -> None:
    words = [word for words in word_classes.CLOSED_CLASSES.values() for word in words.split()]
    assert len(words) == len({*words})
