"""Directions in which the vectors of choices stand out."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import build_layout
from hansproof.rules.encoder import SHARE, ChoiceCoordinates, encoder_features
from hansproof.types import Item, Items

from ..support.rule_factories import block_columns, kept_columns


def make_items(n: int, m: int = 3) -> Items:
    return tuple(Item(f"{i}", {}, tuple(f"text {i} {c}" for c in range(m)), 0) for i in range(n))


def make_model(name: str, items: Items, seed: int, dimensions: int = 4) -> ChoiceCoordinates:
    texts = [choice for item in items for choice in item.choices]
    vectors = np.random.default_rng(seed).integers(-3, 4, (len(texts), dimensions))
    return ChoiceCoordinates(name, vectors.astype(np.float32), texts)


def quantile(values: list[float], share: float) -> float:
    """By linear interpolation between the two nearest values."""
    ordered, place = sorted(values), share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 999), st.integers(1, 40), st.integers(1, 2))
def test_features_are_the_most_extreme_choices_by_direction(
    seed: int, n: int, n_models: int
) -> None:
    items = make_items(n)
    models = tuple(make_model(f"m{k}", items, seed + k) for k in range(n_models))
    layout = build_layout(items)
    masks = []
    for model in models:
        for column in model.vectors.T.astype(float):
            mean = sum(column.tolist()) / column.size
            for sign in (1, -1):
                values = [sign * (value - mean) for value in column.tolist()]
                edge = quantile(values, 1 - SHARE)
                masks.append([value > edge + 1e-6 for value in values])
    block = encoder_features(models, layout)
    assert block_columns(block, layout) == kept_columns(masks, items)


def test_a_direction_is_named_by_the_texts_that_stand_out_most() -> None:
    items = make_items(60, 2)
    texts = [choice for item in items for choice in item.choices]
    vectors = np.zeros((120, 2), np.float32)
    vectors[[4, 9, 30], 0] = 5, 7, 6
    vectors[[50, 60, 70], 1] = -5, -7, -6
    models = [ChoiceCoordinates(name, vectors, texts) for name in ("tiny", "small")]
    block = encoder_features(tuple(models), build_layout(items))
    names = [block.name(feature) for feature in range(block.size)]
    assert len(names) == 4
    for name, model, (first, second) in zip(
        names, ["tiny", "tiny", "small", "small"], [(9, 30), (60, 70)] * 2, strict=True
    ):
        assert model in name
        assert name.index(texts[first]) < name.index(texts[second])


def test_equal_vectors_say_nothing() -> None:
    items = make_items(30)
    texts = [choice for item in items for choice in item.choices]
    model = ChoiceCoordinates("m", np.ones((90, 3), np.float32), texts)
    assert encoder_features((model,), build_layout(items)).size == 0
