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

from .encode import encode, mix
from .text import Tokenizer
from .types import Items

# a key: what kind of feature, the first word (or a count), the second word
_WORD, _PAIR, _CONSTANT, _SHARED, _ACROSS = 0, 1, 2, 64, 128  # the last two: + number of the field
_KIND, _HALF = np.uint64(56), np.uint64(28)
_LOW = (1 << 28) - 1
LONG = 64  # distinct words of a field that are paired; of a long passage the first
FIELDS = 60  # that are looked at: their number must fit into a key
ROOM = 1 << 24  # features in all; where there would be more, fewer words of fields are paired
MOST_SHARED = 3  # words in common, or more


@dataclass(frozen=True, slots=True)
class Bags:
    """The choices of item i are first[i] .. first[i + 1] - 1; the features of choice c are
    feature[start[c] : start[c + 1]], numbers into `keys`."""

    first: NDArray[np.int64]
    start: NDArray[np.int64]
    feature: NDArray[np.int32]
    keys: NDArray[np.uint64]  # sorted
    vocabulary: Sequence[str]
    fields: tuple[str, ...]
    paired: int  # words of a field that were paired, at most

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.keys.size

    def name(self, feature: int) -> str:
        """A feature in words."""
        key = int(self.keys[feature])
        kind, one, two = key >> 56, key >> 28 & _LOW, key & _LOW
        if kind == _WORD:
            return self.vocabulary[two]
        if kind == _PAIR:
            return f"{self.vocabulary[one]} {self.vocabulary[two]}"
        if kind == _CONSTANT:
            return "(any choice)"
        if kind < _ACROSS:
            return f"(shares {_words(two)} with {self.fields[kind - _SHARED]})"
        return f"{self.vocabulary[two]} ({self.fields[kind - _ACROSS]}: {self.vocabulary[one]})"

    def take(self, chosen: NDArray[np.int64]) -> Bags:
        """Only these items; features keep their numbers."""
        sizes = np.diff(self.first)[chosen]
        choices = _ranges(self.first[chosen], sizes)
        lengths = np.diff(self.start)[choices]
        return Bags(
            np.concatenate(([0], np.cumsum(sizes))),
            np.concatenate(([0], np.cumsum(lengths))),
            self.feature[_ranges(self.start[choices], lengths)],
            self.keys,
            self.vocabulary,
            self.fields,
            self.paired,
        )

    def common(self, chosen: NDArray[np.bool_], least: int) -> Bags:
        """Without the features that fewer than `least` of the chosen items have."""
        choices = np.repeat(np.arange(self.first[-1]), np.diff(self.start))
        counts = _item_counts(self.feature, choices, self.first, self.size, chosen)
        kept = counts[self.feature] >= least
        start = np.concatenate(([0], np.cumsum(kept)))[self.start]
        return replace(self, start=start, feature=self.feature[kept])


def _words(many: int) -> str:
    return ("no word", "1 word", "2 words", "3 words or more")[many]


def bags(
    items: Items,
    tokenizer: Tokenizer,
    ngram: int,
    least: int = 2,
    paired: int = LONG,
    known: Bags | None = None,
) -> Bags:
    """The bags of items; features that fewer than `least` items have are left out.

    With `known`, only the features known from there, under the same numbers.
    """
    fields = tuple(dict.fromkeys(f for i in items for f in i.fields))[:FIELDS]
    fields = known.fields if known else fields
    first = np.cumsum([0, *(len(item.choices) for item in items)])
    texts = [*chain.from_iterable(item.choices for item in items)]
    texts += [item.fields.get(field, "") for field in fields for item in items]
    encoded = encode(texts, tokenizer)
    ids, vocabulary = encoded.ids.astype(np.int64), encoded.vocabulary
    if known:
        ids, vocabulary = _renumbered(ids, vocabulary, known.vocabulary), known.vocabulary
    paired = known.paired if known else paired
    args = (ids, encoded.offsets, first, len(fields), ngram, int(ids.max(initial=0)) + 1)
    none = np.empty(0, np.uint64), np.empty(0, np.int32)
    n = _features(*args, paired, *none)
    while n > ROOM and paired > 1 and not known:
        paired //= 2
        n = _features(*args, paired, *none)
    keys, text = np.empty(n, np.uint64), np.empty(n, np.int32)
    _features(*args, paired, keys, text)
    distinct, feature = np.unique(keys, return_inverse=True)
    if known:
        place = np.searchsorted(known.keys, distinct)
        place[place == known.keys.size] = 0
        there = known.keys[place] == distinct if known.size else np.zeros(distinct.size, np.bool_)
        kept, number, distinct = there[feature], place[feature], known.keys
    else:
        every = np.ones(len(items), np.bool_)
        common = _item_counts(feature, text, first, distinct.size, every) >= least
        kept, number, distinct = common[feature], (np.cumsum(common) - 1)[feature], distinct[common]
    text, number = text[kept], number[kept].astype(np.int32)
    start = np.searchsorted(text, np.arange(first[-1] + 1))
    return Bags(first, start, number, distinct, vocabulary, fields, paired)


def _renumbered(
    ids: NDArray[np.int64], words: Sequence[str], known: Sequence[str]
) -> NDArray[np.int64]:
    """The ids that words have elsewhere; new ones get ids that no feature there has."""
    numbers = {word: number for number, word in enumerate(known)}
    fresh = len(known)
    table = [numbers.get(word, fresh + at) for at, word in enumerate(words)]
    return np.array(table, np.int64)[ids] if table else ids


def _ranges(begin: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
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
def _key(kind, one, two):  # type: ignore[no-untyped-def]
    return (np.uint64(kind) << _KIND) | (np.uint64(one) << _HALF) | np.uint64(two)


@njit(cache=True)
def _features(ids, offsets, first, fields, ngram, words, paired, out_keys, out_text):  # type: ignore[no-untyped-def]
    """Write key and choice of every feature that some choices of an item have, and not all.

    Choices come in order, so rows are sorted by choice. Without room to write to, only counts.
    """
    items, choices = first.size - 1, first[-1]
    room, n = 64, 0
    keys, stamp = np.empty(room, np.uint64), np.full(room, -1, np.int64)
    having, last = np.empty(room, np.int64), np.empty(room, np.int64)
    in_field = np.full((fields, words), -1, np.int64)  # the item whose field last had the word
    in_choice = np.full(words, -1, np.int64)
    listed = np.empty((fields, paired), np.int64)
    many = np.zeros(fields, np.int64)
    shared = np.zeros((fields, 1), np.int64)
    for item in range(items):
        begin, end = first[item], first[item + 1]
        m, tokens = end - begin, offsets[end] - offsets[begin]
        while room < 4 * tokens:
            room *= 2
        if room > keys.size:
            keys, stamp = np.empty(room, np.uint64), np.full(room, -1, np.int64)
            having, last = np.empty(room, np.int64), np.empty(room, np.int64)
        for field in range(fields):
            many[field] = _list_words(
                ids, offsets, choices + field * items + item, item, in_field[field], listed[field]
            )
        for choice in range(begin, end):  # how many choices have each word and pair
            for order in range(1, ngram + 1):
                for at in range(offsets[choice], offsets[choice + 1] - order + 1):
                    slot = _slot(keys, stamp, item, _gram(ids, at, order), room)
                    if stamp[slot] != item:
                        stamp[slot], having[slot], last[slot] = item, 0, -1
                        keys[slot] = _gram(ids, at, order)
                    if last[slot] != choice:
                        last[slot] = choice
                        having[slot] += 1
        if shared.shape[1] < m:
            shared = np.zeros((fields, m), np.int64)
        _count_shared(ids, offsets, begin, end, item, in_field, in_choice, shared)
        for choice in range(begin, end):
            if m == 1:
                n = _put(out_keys, out_text, n, _key(_CONSTANT, 0, 0), choice)
            for field in range(fields):
                own, same = shared[field, choice - begin], 0
                for other in range(m):
                    same += shared[field, other] == own
                if same < m or m == 1:
                    n = _put(out_keys, out_text, n, _key(_SHARED + field, 0, own), choice)
            for order in range(1, ngram + 1):
                for at in range(offsets[choice], offsets[choice + 1] - order + 1):
                    key = _gram(ids, at, order)
                    slot = _slot(keys, stamp, item, key, room)
                    # once a choice: `last` still names the last choice that has it, so it is turned
                    if (having[slot] == m and m > 1) or last[slot] == -choice - 2:
                        continue
                    last[slot] = -choice - 2
                    n = _put(out_keys, out_text, n, key, choice)
                    if order > 1:
                        continue
                    for field in range(fields):
                        for w in range(many[field]):
                            across = _key(_ACROSS + field, listed[field, w], ids[at])
                            n = _put(out_keys, out_text, n, across, choice)
    return n


@njit(inline="always")
def _put(out_keys, out_text, n, key, choice):  # type: ignore[no-untyped-def]
    if n < out_keys.size:
        out_keys[n], out_text[n] = key, choice
    return n + 1


@njit(inline="always")
def _gram(ids, at, order):  # type: ignore[no-untyped-def]
    return _key(_WORD, 0, ids[at]) if order == 1 else _key(_PAIR, ids[at], ids[at + 1])


@njit(inline="always")
def _slot(keys, stamp, item, key, room):  # type: ignore[no-untyped-def]
    """Where a key stands in this item's table, or would."""
    at = np.int64(mix(key) & np.uint64(room - 1))
    while stamp[at] == item and keys[at] != key:
        at = (at + 1) & (room - 1)
    return at


@njit(cache=True)
def _list_words(ids, offsets, text, item, seen, listed):  # type: ignore[no-untyped-def]
    """Mark the words of a text as this item's, and list the first of them; how many are listed."""
    n = 0
    for at in range(offsets[text], offsets[text + 1]):
        word = ids[at]
        if seen[word] != item:
            seen[word] = item
            if n < listed.size:
                listed[n] = word
                n += 1
    return n


@njit(cache=True)
def _count_shared(ids, offsets, begin, end, item, in_field, in_choice, shared):  # type: ignore[no-untyped-def]
    """For each field, how many distinct words each choice shares with it."""
    for choice in range(begin, end):
        shared[:, choice - begin] = 0
        for at in range(offsets[choice], offsets[choice + 1]):
            word = ids[at]
            if in_choice[word] == choice:
                continue
            in_choice[word] = choice
            for field in range(in_field.shape[0]):
                if in_field[field, word] == item and shared[field, choice - begin] < MOST_SHARED:
                    shared[field, choice - begin] += 1
