"""Small inputs are not compiled for: Python and numpy give the same arrays, in the same order."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hansproof
from hansproof.cues.counts import build_layout, count_cues
from hansproof.cues.incidence import build_incidence
from hansproof.linear.features import extract_features
from hansproof.text.encoding import encode_texts
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item, Items

from ..support.code_paths import compiled_code

WORD = get_tokenizer("word")
TEXT = st.lists(st.sampled_from("abcdef"), max_size=12).map(" ".join)
ITEMS = st.lists(
    st.builds(
        lambda fields, choices: Item("", fields, tuple(choices), 0),
        st.dictionaries(st.sampled_from(["claim", "reason"]), TEXT),
        st.lists(TEXT, min_size=2, max_size=4),
    ),
    min_size=1,
    max_size=6,
).map(tuple)


def arrays(items: Items) -> list[object]:
    """What the compiled code is for: tokens, counts, rows of cues, features."""
    layout = build_layout(items)
    counts = count_cues(items, WORD, 3, layout)
    bags = extract_features(items, WORD, 2)
    parts: list[Any] = [
        encode_texts([choice for item in items for choice in item.choices], WORD),
        *counts,
        build_incidence(counts, layout, 1),
        bags,
        bags.take_items(np.arange(len(items))[::-2]),
        extract_features(items[::-1], WORD, 2, reference=bags),
    ]
    return [value for part in parts for value in astuple(part)]


def assert_same(items: Items) -> None:
    plain = arrays(items)
    with compiled_code():
        compiled = arrays(items)
    for ours, theirs in zip(plain, compiled, strict=True):
        if isinstance(ours, np.ndarray):
            assert isinstance(theirs, np.ndarray)
            assert (ours.dtype, ours.tolist()) == (theirs.dtype, theirs.tolist())
        elif isinstance(ours, list | tuple) and ours and isinstance(ours[0], np.ndarray):
            assert [array.tolist() for array in ours] == [array.tolist() for array in theirs]  # type: ignore[attr-defined]
        else:
            assert ours == theirs


@given(ITEMS)
def test_any_items(items: Items) -> None:
    assert_same(items)


@pytest.mark.parametrize("name", ["original", "balanced"])
def test_a_real_benchmark(name: str) -> None:
    assert_same(hansproof.load(f"toy:{name}").splits[name])
