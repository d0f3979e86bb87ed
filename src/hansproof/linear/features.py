"""Bags of features of the choices of items, for a linear ranker.

The features of a choice are its words, its pairs of neighbouring words, and for every visible field
the pairs of a field word with a choice word and the number of words that both share. Features that
all choices of an item have cannot distinguish them and are omitted. Features are exact: there are
no hash collisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from .._infra.compilation import is_small
from ..text.encoding import EncodedTexts, encode_texts
from ..text.tokenizers import Tokenizer
from ..types import Items
from .feature_kernel import (
    ACROSS,
    CONSTANT,
    MAX_SHARED_WORDS,
    PAIR,
    SHARED,
    WORD,
    copy_ranges,
    count_items,
    number_frequent_keys,
    unpack_key,
    write_features,
)
from .plain_features import list_features

__all__ = ["MAX_PAIRED_WORDS", "MAX_SHARED_WORDS", "FeatureBags", "extract_features"]

MAX_PAIRED_WORDS = 64  # distinct words of a field that are paired, from its beginning
MAX_FIELDS = 60  # their number must fit into a key
MAX_FEATURES = 1 << 24  # occurrences in all; beyond, fewer words of fields are paired

_BUCKET = 1 << 14  # keys per bucket, so that its hash table stays in the processor's cache

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FeatureBags:
    """Features by choice, as numbers into `keys`.

    The choices of item i are first[i] .. first[i + 1] - 1; the features of choice c are
    feature[start[c] : start[c + 1]].
    """

    first: NDArray[np.int64]
    start: NDArray[np.int64]
    feature: NDArray[np.int32]
    keys: NDArray[np.uint64]  # sorted
    vocabulary: Sequence[str]
    fields: tuple[str, ...]
    paired_words: int  # maximum of words of a field that were paired

    @property
    def size(self) -> int:
        """The number of distinct features."""
        return self.keys.size

    def feature_name(self, feature: int) -> str:
        """Describe a feature in words."""
        kind, first, second = unpack_key(int(self.keys[feature]))
        if kind == WORD:
            return self.vocabulary[second]
        if kind == PAIR:
            return f"{self.vocabulary[first]} {self.vocabulary[second]}"
        if kind == CONSTANT:
            return "(any choice)"
        if kind < ACROSS:
            return f"(shares {_word_count_text(second)} with {self.fields[kind - SHARED]})"
        field = self.fields[kind - ACROSS]
        return f"{self.vocabulary[second]} ({field}: {self.vocabulary[first]})"

    def take_items(self, chosen: NDArray[np.int64]) -> FeatureBags:
        """Return the bags of some items; features keep their numbers."""
        if np.array_equal(chosen, np.arange(self.first.size - 1)):
            return self
        sizes = np.diff(self.first)[chosen]
        choices = _concat_ranges(self.first[chosen], sizes)
        start = np.concatenate(([0], np.cumsum(np.diff(self.start)[choices])))
        if is_small(int(start[-1])):
            feature = self.feature[_concat_ranges(self.start[choices], np.diff(start))]
        else:
            feature = np.empty(start[-1], np.int32)
            copy_ranges(self.feature, self.start[choices], start, feature)
        first = np.concatenate(([0], np.cumsum(sizes)))
        return replace(self, first=first, start=start, feature=feature)

    def drop_rare(self, chosen: NDArray[np.bool_], min_items: int) -> FeatureBags:
        """Return the bags without features that fewer than `min_items` chosen items have."""
        choices = np.repeat(np.arange(self.first[-1], dtype=np.int32), np.diff(self.start))
        counts = count_items(self.feature, choices, self.first, self.size, chosen)
        is_frequent = counts[self.feature] >= min_items
        n_kept = np.cumsum(is_frequent, dtype=np.int32)
        start = np.zeros_like(self.start)
        start[self.start > 0] = n_kept[self.start[self.start > 0] - 1]
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
    """Extract the features of items, except those that fewer than `min_items` items have.

    With a `reference`, extract only the features that it has, under the same numbers.
    """
    fields = reference.fields if reference else _field_names(items)
    first = np.cumsum([0, *(len(item.choices) for item in items)])
    encoded = _encode_items(items, fields, tokenizer)
    ids, vocabulary = encoded.ids.astype(np.int64), encoded.vocabulary
    if reference:
        ids, vocabulary = _renumber_ids(ids, vocabulary, reference.vocabulary), reference.vocabulary
        paired_words = reference.paired_words
    texts = (ids, encoded.offsets, first, len(fields), ngram)
    if _has_few_rows(*texts, paired_words):
        row_keys, text = list_features(*texts, paired_words)
    else:
        n_words = int(ids.max(initial=0)) + 1
        no_output = np.empty(0, np.uint64), np.empty(0, np.int32)
        n = write_features(*texts, n_words, paired_words, *no_output)
        while n > MAX_FEATURES and paired_words > 1 and not reference:
            paired_words //= 2
            n = write_features(*texts, n_words, paired_words, *no_output)
        row_keys, text = np.empty(n, np.uint64), np.empty(n, np.int32)
        write_features(*texts, n_words, paired_words, row_keys, text)
    if reference:
        keys, number = reference.keys, _known_numbers(row_keys, reference.keys)
    else:
        keys, number = _number_frequent(row_keys, text, first, min_items)
    del row_keys  # the largest of these arrays
    is_kept = number >= 0
    start = np.searchsorted(text[is_kept], np.arange(first[-1] + 1))
    return FeatureBags(first, start, number[is_kept], keys, vocabulary, fields, paired_words)


def _has_few_rows(
    ids: Ints, offsets: Ints, first: Ints, n_fields: int, ngram: int, paired_words: int
) -> bool:
    """Return whether there are so few features that they need no compiled code."""
    if not is_small(ids.size):
        return False
    lengths, n_choices = np.diff(offsets), int(first[-1])
    fields = np.minimum(lengths[n_choices:], paired_words).reshape(n_fields, first.size - 1)
    n_paired = np.repeat(fields.sum(axis=0), np.diff(first))  # by choice
    n_rows = int((lengths[:n_choices] * (ngram + n_paired) + n_fields + 1).sum())
    return n_rows <= MAX_FEATURES and is_small(n_rows)


def _field_names(items: Items) -> tuple[str, ...]:
    return tuple(dict.fromkeys(field for item in items for field in item.fields))[:MAX_FIELDS]


def _encode_items(items: Items, fields: Sequence[str], tokenizer: Tokenizer) -> EncodedTexts:
    """Encode the choices of all items, followed by their fields."""
    texts = [*chain.from_iterable(item.choices for item in items)]
    texts += [item.fields.get(field, "") for field in fields for item in items]
    return encode_texts(texts, tokenizer)


def _known_numbers(
    row_keys: NDArray[np.uint64], reference_keys: NDArray[np.uint64]
) -> NDArray[np.int32]:
    """Return the number of each row's key among the known keys; -1 if it is new."""
    if not reference_keys.size:
        return np.full(row_keys.size, -1, np.int32)
    distinct, feature = np.unique(row_keys, return_inverse=True)
    positions = np.searchsorted(reference_keys, distinct)
    positions[positions == reference_keys.size] = 0
    numbers = np.where(reference_keys[positions] == distinct, positions, -1)
    return numbers.astype(np.int32)[feature]


def _number_frequent(
    row_keys: NDArray[np.uint64], text: NDArray[np.int32], first: Ints, min_items: int
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return the keys that enough items have, and each row's number among them; -1 if rare."""
    item_of = np.repeat(np.arange(first.size - 1, dtype=np.int32), np.diff(first))
    if is_small(row_keys.size):
        return _number_few(row_keys, item_of[text], min_items)
    bits = min(max(row_keys.size // _BUCKET, 1).bit_length(), 11)
    number, distinct = np.empty(row_keys.size, np.int32), np.empty(row_keys.size, np.uint64)
    n = number_frequent_keys(row_keys, text, item_of, min_items, bits, number, distinct)
    keys = distinct[:n].copy()
    del distinct
    order = np.argsort(keys)
    rank = np.empty(n + 1, np.int32)
    rank[order], rank[-1] = np.arange(n), -1  # a rare key has the number -1, the last element
    return keys[order], rank[number]


def _number_few(
    row_keys: NDArray[np.uint64], item: NDArray[np.int32], min_items: int
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    keys, index = np.unique(row_keys, return_inverse=True)
    n_items = int(item.max(initial=0)) + 1
    owned = np.unique(index * n_items + item) // n_items  # a row for each key of each item
    is_frequent = np.bincount(owned, minlength=keys.size) >= min_items
    rank = np.where(is_frequent, np.cumsum(is_frequent) - 1, -1).astype(np.int32)
    return keys[is_frequent], rank[index]


def _renumber_ids(
    ids: NDArray[np.int64], words: Sequence[str], known_words: Sequence[str]
) -> NDArray[np.int64]:
    """Map ids to those of known words; new words get ids that no known feature has."""
    numbers = {word: number for number, word in enumerate(known_words)}
    n_known = len(known_words)
    table = [numbers.get(word, n_known + index) for index, word in enumerate(words)]
    return np.array(table, np.int64)[ids] if table else ids


def _concat_ranges(begin: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Concatenate the ranges begin[i] .. begin[i] + sizes[i] - 1."""
    shift = np.repeat(begin - np.cumsum(sizes) + sizes, sizes)
    return np.arange(shift.size) + shift
