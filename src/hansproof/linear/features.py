"""What stands in the choices of items, as bags of features for a linear ranker.

Features of a choice: its words, its pairs of neighbouring words, and for every field that is shown
the pairs of a word there with a word here, and how many words the two share. What all choices of
an item have cannot tell them apart and is left out. Features are exact: no two share a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..text.encoding import encode_texts, mix_bits
from ..text.tokenizers import Tokenizer
from ..types import Items

# a key: what kind of feature, the first word (or a count), the second word
_WORD, _PAIR, _CONSTANT, _SHARED, _ACROSS = 0, 1, 2, 64, 128  # the last two: + number of the field
_KIND, _HALF = np.uint64(56), np.uint64(28)
_LOW = (1 << 28) - 1
MAX_PAIRED_WORDS = 64  # distinct words of a field that are paired; of a long passage the first
MAX_FIELDS = 60  # that are looked at: their number must fit into a key
MAX_FEATURES = (
    1 << 24
)  # features in all; where there would be more, fewer words of fields are paired
MAX_SHARED_WORDS = 3  # words in common, or more


@dataclass(frozen=True, slots=True)
class FeatureBags:
    """The choices of item i are first[i] .. first[i + 1] - 1; the features of choice c are
    feature[start[c] : start[c + 1]], numbers into `keys`."""

    first: NDArray[np.int64]
    start: NDArray[np.int64]
    feature: NDArray[np.int32]
    keys: NDArray[np.uint64]  # sorted
    vocabulary: Sequence[str]
    fields: tuple[str, ...]
    paired_words: int  # words of a field that were paired, at most

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.keys.size

    def feature_name(self, feature: int) -> str:
        """A feature in words."""
        key = int(self.keys[feature])
        kind, first_word, second_word = key >> 56, key >> 28 & _LOW, key & _LOW
        if kind == _WORD:
            return self.vocabulary[second_word]
        if kind == _PAIR:
            return f"{self.vocabulary[first_word]} {self.vocabulary[second_word]}"
        if kind == _CONSTANT:
            return "(any choice)"
        if kind < _ACROSS:
            return f"(shares {_word_count_text(second_word)} with {self.fields[kind - _SHARED]})"
        return f"{self.vocabulary[second_word]} ({self.fields[kind - _ACROSS]}: {self.vocabulary[first_word]})"

    def take_items(self, chosen: NDArray[np.int64]) -> FeatureBags:
        """Only these items; features keep their numbers."""
        sizes = np.diff(self.first)[chosen]
        choices = _concat_ranges(self.first[chosen], sizes)
        lengths = np.diff(self.start)[choices]
        return FeatureBags(
            np.concatenate(([0], np.cumsum(sizes))),
            np.concatenate(([0], np.cumsum(lengths))),
            self.feature[_concat_ranges(self.start[choices], lengths)],
            self.keys,
            self.vocabulary,
            self.fields,
            self.paired_words,
        )

    def drop_rare(self, chosen: NDArray[np.bool_], min_items: int) -> FeatureBags:
        """Without the features that fewer than `least` of the chosen items have."""
        choices = np.repeat(np.arange(self.first[-1]), np.diff(self.start))
        counts = _item_counts(self.feature, choices, self.first, self.size, chosen)
        is_frequent = counts[self.feature] >= min_items
        start = np.concatenate(([0], np.cumsum(is_frequent)))[self.start]
        return replace(self, start=start, feature=self.feature[is_frequent])


def _word_count_text(count: int) -> str:
    return ("no word", "1 word", "2 words", "3 words or more")[count]


def extract_features(
    items: Items,
    tokenizer: Tokenizer,
    ngram: int,
    min_items: int = 2,
    paired_words: int = MAX_PAIRED_WORDS,
    reference: FeatureBags | None = None,
) -> FeatureBags:
    """The bags of items; features that fewer than `least` items have are left out.

    With `known`, only the features known from there, under the same numbers.
    """
    fields = tuple(dict.fromkeys(field for item in items for field in item.fields))[:MAX_FIELDS]
    fields = reference.fields if reference else fields
    first = np.cumsum([0, *(len(item.choices) for item in items)])
    texts = [*chain.from_iterable(item.choices for item in items)]
    texts += [item.fields.get(field, "") for field in fields for item in items]
    encoded = encode_texts(texts, tokenizer)
    ids, vocabulary = encoded.ids.astype(np.int64), encoded.vocabulary
    if reference:
        ids, vocabulary = _renumber_ids(ids, vocabulary, reference.vocabulary), reference.vocabulary
    paired_words = reference.paired_words if reference else paired_words
    args = (ids, encoded.offsets, first, len(fields), ngram, int(ids.max(initial=0)) + 1)
    no_output = np.empty(0, np.uint64), np.empty(0, np.int32)
    n = _write_features(*args, paired_words, *no_output)
    while n > MAX_FEATURES and paired_words > 1 and not reference:
        paired_words //= 2
        n = _write_features(*args, paired_words, *no_output)
    keys, text = np.empty(n, np.uint64), np.empty(n, np.int32)
    _write_features(*args, paired_words, keys, text)
    distinct, feature = np.unique(keys, return_inverse=True)
    if reference:
        positions = np.searchsorted(reference.keys, distinct)
        positions[positions == reference.keys.size] = 0
        is_known = (
            reference.keys[positions] == distinct
            if reference.size
            else np.zeros(distinct.size, np.bool_)
        )
        is_kept, number, distinct = is_known[feature], positions[feature], reference.keys
    else:
        all_items = np.ones(len(items), np.bool_)
        is_frequent = _item_counts(feature, text, first, distinct.size, all_items) >= min_items
        is_kept, number, distinct = (
            is_frequent[feature],
            (np.cumsum(is_frequent) - 1)[feature],
            distinct[is_frequent],
        )
    text, number = text[is_kept], number[is_kept].astype(np.int32)
    start = np.searchsorted(text, np.arange(first[-1] + 1))
    return FeatureBags(first, start, number, distinct, vocabulary, fields, paired_words)


def _renumber_ids(
    ids: NDArray[np.int64], words: Sequence[str], known_words: Sequence[str]
) -> NDArray[np.int64]:
    """The ids that words have elsewhere; new ones get ids that no feature there has."""
    numbers = {word: number for number, word in enumerate(known_words)}
    n_known = len(known_words)
    table = [numbers.get(word, n_known + index) for index, word in enumerate(words)]
    return np.array(table, np.int64)[ids] if table else ids


def _concat_ranges(begin: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """begin[0] .. begin[0] + sizes[0] - 1, begin[1] .., one after the other."""
    shift = np.repeat(begin - np.cumsum(sizes) + sizes, sizes)
    return np.arange(shift.size) + shift


@njit(cache=True)
def _item_counts(feature, text, first, size, chosen):  # type: ignore[no-untyped-def]
    """How many of the chosen items have each feature. Rows come item by item."""
    counts, last = np.zeros(size, np.int64), np.full(size, -1, np.int64)
    item = 0
    for row in range(feature.size):
        while text[row] >= first[item + 1]:
            item += 1
        if chosen[item] and last[feature[row]] != item:
            last[feature[row]] = item
            counts[feature[row]] += 1
    return counts


@njit(inline="always")
def _pack_key(kind, first_word, second_word):  # type: ignore[no-untyped-def]
    return (np.uint64(kind) << _KIND) | (np.uint64(first_word) << _HALF) | np.uint64(second_word)


@njit(cache=True)
def _write_features(  # type: ignore[no-untyped-def]
    ids, offsets, first, n_fields, ngram, n_words, paired_words, out_keys, out_text
):
    """Write key and choice of every feature that some choices of an item have, and not all.

    Choices come in order, so rows are sorted by choice. Without room to write to, only counts.
    """
    items, choices = first.size - 1, first[-1]
    capacity, n = 64, 0
    keys, stamp = np.empty(capacity, np.uint64), np.full(capacity, -1, np.int64)
    n_having, last = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
    in_field = np.full((n_fields, n_words), -1, np.int64)  # the item whose field last had the word
    in_choice = np.full(n_words, -1, np.int64)
    field_words = np.empty((n_fields, paired_words), np.int64)
    n_listed = np.zeros(n_fields, np.int64)
    shared = np.zeros((n_fields, 1), np.int64)
    for item in range(items):
        begin, end = first[item], first[item + 1]
        m, tokens = end - begin, offsets[end] - offsets[begin]
        while capacity < 4 * tokens:
            capacity *= 2
        if capacity > keys.size:
            keys, stamp = np.empty(capacity, np.uint64), np.full(capacity, -1, np.int64)
            n_having, last = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
        for field in range(n_fields):
            n_listed[field] = _list_words(
                ids,
                offsets,
                choices + field * items + item,
                item,
                in_field[field],
                field_words[field],
            )
        for choice in range(begin, end):  # how many choices have each word and pair
            for order in range(1, ngram + 1):
                for position in range(offsets[choice], offsets[choice + 1] - order + 1):
                    slot = _find_slot(keys, stamp, item, _ngram_key(ids, position, order), capacity)
                    if stamp[slot] != item:
                        stamp[slot], n_having[slot], last[slot] = item, 0, -1
                        keys[slot] = _ngram_key(ids, position, order)
                    if last[slot] != choice:
                        last[slot] = choice
                        n_having[slot] += 1
        if shared.shape[1] < m:
            shared = np.zeros((n_fields, m), np.int64)
        _count_shared(ids, offsets, begin, end, item, in_field, in_choice, shared)
        for choice in range(begin, end):
            if m == 1:
                n = _put_feature(out_keys, out_text, n, _pack_key(_CONSTANT, 0, 0), choice)
            for field in range(n_fields):
                n_shared, n_equal = shared[field, choice - begin], 0
                for other in range(m):
                    n_equal += shared[field, other] == n_shared
                if n_equal < m or m == 1:
                    n = _put_feature(
                        out_keys, out_text, n, _pack_key(_SHARED + field, 0, n_shared), choice
                    )
            for order in range(1, ngram + 1):
                for position in range(offsets[choice], offsets[choice + 1] - order + 1):
                    key = _ngram_key(ids, position, order)
                    slot = _find_slot(keys, stamp, item, key, capacity)
                    # once a choice: `last` still names the last choice that has it, so it is turned
                    if (n_having[slot] == m and m > 1) or last[slot] == -choice - 2:
                        continue
                    last[slot] = -choice - 2
                    n = _put_feature(out_keys, out_text, n, key, choice)
                    if order > 1:
                        continue
                    for field in range(n_fields):
                        for w in range(n_listed[field]):
                            cross_key = _pack_key(
                                _ACROSS + field, field_words[field, w], ids[position]
                            )
                            n = _put_feature(out_keys, out_text, n, cross_key, choice)
    return n


@njit(inline="always")
def _put_feature(out_keys, out_text, n, key, choice):  # type: ignore[no-untyped-def]
    if n < out_keys.size:
        out_keys[n], out_text[n] = key, choice
    return n + 1


@njit(inline="always")
def _ngram_key(ids, position, order):  # type: ignore[no-untyped-def]
    return (
        _pack_key(_WORD, 0, ids[position])
        if order == 1
        else _pack_key(_PAIR, ids[position], ids[position + 1])
    )


@njit(inline="always")
def _find_slot(keys, stamp, item, key, capacity):  # type: ignore[no-untyped-def]
    """Where a key stands in this item's table, or would."""
    slot = np.int64(mix_bits(key) & np.uint64(capacity - 1))
    while stamp[slot] == item and keys[slot] != key:
        slot = (slot + 1) & (capacity - 1)
    return slot


@njit(cache=True)
def _list_words(ids, offsets, text, item, marks, listed):  # type: ignore[no-untyped-def]
    """Mark the words of a text as this item's, and list the first of them; how many are listed."""
    n = 0
    for position in range(offsets[text], offsets[text + 1]):
        word = ids[position]
        if marks[word] != item:
            marks[word] = item
            if n < listed.size:
                listed[n] = word
                n += 1
    return n


@njit(cache=True)
def _count_shared(ids, offsets, begin, end, item, in_field, in_choice, shared):  # type: ignore[no-untyped-def]
    """For each field, how many distinct words each choice shares with it."""
    for choice in range(begin, end):
        shared[:, choice - begin] = 0
        for position in range(offsets[choice], offsets[choice + 1]):
            word = ids[position]
            if in_choice[word] == choice:
                continue
            in_choice[word] = choice
            for field in range(in_field.shape[0]):
                if (
                    in_field[field, word] == item
                    and shared[field, choice - begin] < MAX_SHARED_WORDS
                ):
                    shared[field, choice - begin] += 1
