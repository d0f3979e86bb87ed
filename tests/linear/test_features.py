"""Bags of features against their plain definition."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.linear.features import (
    MAX_PAIRED_WORDS,
    MAX_SHARED_WORDS,
    _number_frequent,
    extract_features,
)
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Item, Items

from ..support.code_paths import code_path  # noqa: F401

WORD = get_tokenizer("word")
texts = st.lists(st.sampled_from("abcdef"), max_size=6).map(" ".join)
items_of = st.lists(
    st.builds(
        lambda fields, choices: Item("", fields, tuple(choices), 0),
        st.dictionaries(st.sampled_from(["claim", "reason"]), texts),
        st.lists(texts, min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=6,
).map(tuple)


def plain(items: Items, ngram: int, least: int) -> list[list[set[str]]]:
    """For every item and choice, its features in words."""
    fields = list(dict.fromkeys(name for item in items for name in item.fields))
    found = [[_choice(item, choice, fields, ngram) for choice in item.choices] for item in items]
    for item in found:
        everywhere = set.intersection(*item) if len(item) > 1 else set()
        for choice in item:
            choice -= everywhere
    counts = Counter(f for item in found for f in set.union(*item))
    return [[{f for f in choice if counts[f] >= least} for choice in item] for item in found]


def _choice(item: Item, choice: str, fields: list[str], ngram: int) -> set[str]:
    words = WORD.split(choice)
    features = {*words}
    if ngram == 2:
        features |= {f"{a} {b}" for a, b in pairwise(words)}
    if len(item.choices) == 1:
        features.add("(any choice)")
    for field in fields:
        context = list(dict.fromkeys(WORD.split(item.fields.get(field, ""))))
        features |= {f"{w} ({field}: {c})" for w in words for c in context[:MAX_PAIRED_WORDS]}
        shared = min(len({*words} & {*context}), MAX_SHARED_WORDS)
        told = ["no word", "1 word", "2 words", "3 words or more"][shared]
        features.add(f"(shares {told} with {field})")
    return features


@given(items_of, st.integers(1, 2), st.integers(1, 3))
def test_features_are_what_some_choices_have_and_not_all(
    items: Items, ngram: int, least: int
) -> None:
    found = extract_features(items, WORD, ngram, least)
    named = [
        [
            {found.feature_name(f) for f in found.feature[found.start[c] : found.start[c + 1]]}
            for c in range(found.first[i], found.first[i + 1])
        ]
        for i in range(len(items))
    ]
    assert named == plain(items, ngram, least)


@given(items_of, st.data())
def test_a_part_of_the_items_has_the_same_bags(items: Items, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(items) - 1), min_size=1))
    whole = extract_features(items, WORD, 2, 1)
    part = whole.take_items(np.array(chosen))
    for new, old in enumerate(chosen):
        assert part.first[new + 1] - part.first[new] == len(items[old].choices)
        for choice in range(len(items[old].choices)):
            a, b = part.first[new] + choice, whole.first[old] + choice
            assert np.array_equal(
                part.feature[part.start[a] : part.start[a + 1]],
                whole.feature[whole.start[b] : whole.start[b + 1]],
            )


@given(items_of, items_of)
def test_new_items_have_the_features_that_are_known(old: Items, new: Items) -> None:
    known = extract_features(old, WORD, 2, 1)
    found = extract_features(new, WORD, 2, reference=known)
    alone = extract_features(tuple(_with_fields(i, known.fields) for i in new), WORD, 2, 1)
    names = {known.feature_name(f) for f in range(known.size)}
    for choice in range(int(found.first[-1])):
        got = {
            found.feature_name(f)
            for f in found.feature[found.start[choice] : found.start[choice + 1]]
        }
        own = {
            alone.feature_name(f)
            for f in alone.feature[alone.start[choice] : alone.start[choice + 1]]
        }
        assert got == own & names


def _with_fields(item: Item, fields: tuple[str, ...]) -> Item:
    """The same item with no field but those, in that order."""
    return Item("", {f: item.fields.get(f, "") for f in fields}, item.choices, 0)


def test_long_fields_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    items = tuple(
        Item("", {"q": " ".join(f"q{i}x{j}" for j in range(64))}, (f"a{i} b{i}", f"c{i} d{i}"), 0)
        for i in range(50)
    )
    whole = extract_features(items, WORD, 1, 1)
    assert whole.paired_words == MAX_PAIRED_WORDS
    monkeypatch.setattr("hansproof.linear.features.MAX_FEATURES", 2000)
    small = extract_features(items, WORD, 1, 1)
    assert small.feature.size <= 2000 < whole.feature.size
    again = extract_features(items, WORD, 1, reference=small)
    assert np.array_equal(again.feature, small.feature)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), max_size=200), st.integers(1, 4))
def test_frequent_keys_are_those_of_a_plain_count(rows: list[tuple[int, int]], least: int) -> None:
    rows = sorted(rows, key=lambda row: row[1])  # by choice, two of them to an item
    keys = np.array([key for key, _ in rows], np.uint64) << np.uint64(40)
    text = np.array([choice for _, choice in rows], np.int32)
    found, number = _number_frequent(keys, text, np.arange(0, 7, 2), least)
    items = {key: {c // 2 for k, c in rows if k == key} for key, _ in rows}
    frequent = sorted(key for key, owners in items.items() if len(owners) >= least)
    assert (found >> np.uint64(40)).tolist() == frequent
    expected = [frequent.index(key) if key in frequent else -1 for key, _ in rows]
    assert number.tolist() == expected
