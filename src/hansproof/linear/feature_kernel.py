"""The compiled part of feature extraction: features as 64-bit keys.

A key has three parts: the kind of feature, the first word, and the second word or a count.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from .._infra.compilation import compile_function
from ..text.encoding import bucket_bounds, mix_bits

WORD, PAIR, CONSTANT, SHARED, ACROSS = 0, 1, 2, 64, 128  # the last two: plus number of the field
MAX_SHARED_WORDS = 3  # words in common, or more
_KIND, _HALF = np.uint64(56), np.uint64(28)
_LOW = (1 << 28) - 1


def pack_key(kind: int, first_word: int, second_word: int) -> int:
    """Return the key of a feature."""
    return kind << 56 | first_word << 28 | second_word


def unpack_key(key: int) -> tuple[int, int, int]:
    """Return the kind of a feature and its two words."""
    return key >> 56, key >> 28 & _LOW, key & _LOW


@njit(inline="always")
def _pack_key(kind, first_word, second_word):  # type: ignore[no-untyped-def]
    return (np.uint64(kind) << _KIND) | (np.uint64(first_word) << _HALF) | np.uint64(second_word)


@compile_function()
def count_items(feature, text, first, size, chosen):  # type: ignore[no-untyped-def]
    """Count how many of the chosen items have each feature; rows must be sorted by item."""
    counts, last = np.zeros(size, np.int64), np.full(size, -1, np.int64)
    item = 0
    for row in range(feature.size):
        while text[row] >= first[item + 1]:
            item += 1
        if chosen[item] and last[feature[row]] != item:
            last[feature[row]] = item
            counts[feature[row]] += 1
    return counts


@compile_function()
def copy_ranges(values, begin, start, out):  # type: ignore[no-untyped-def]
    """Copy ranges of values, each from its `begin`, to out[start[i] : start[i + 1]]."""
    for i in range(begin.size):
        for offset in range(start[i + 1] - start[i]):
            out[start[i] + offset] = values[begin[i] + offset]


@compile_function()
def number_frequent_keys(keys, text, item_of, min_items, bits, number, distinct):  # type: ignore[no-untyped-def]
    """Number the keys that enough items have; return how many there are.

    Writes the number of each row's key to `number`, -1 if it is rare, and the keys by number to
    `distinct`. Rows are looked up bucket by bucket, in their order; a bucket has all rows of a key.
    """
    order, bounds = _sort_by_bucket(keys, bits)
    n, size = 0, 64
    for bucket in range(bounds.size - 1):
        while size < 2 * (bounds[bucket + 1] - bounds[bucket]):
            size *= 2
    slots, counts = np.empty(size, np.int32), np.empty(size, np.int32)
    last = np.empty(size, np.int32)  # the last item that had the key of a slot
    for bucket in range(bounds.size - 1):
        low, high = bounds[bucket], bounds[bucket + 1]
        slots[:] = -1
        for i in range(low, high):
            key, item = keys[order[i]], item_of[text[order[i]]]
            slot = np.int64(mix_bits(key) & np.uint64(size - 1))
            while slots[slot] >= 0 and keys[slots[slot]] != key:
                slot = (slot + 1) & (size - 1)
            if slots[slot] < 0:
                slots[slot], counts[slot], last[slot] = order[i], 0, -1
            if last[slot] != item:
                last[slot] = item
                counts[slot] += 1
            number[order[i]] = slot
        for s in range(size):  # from here on, `last` is the number of a slot's key
            last[s] = -1
            if slots[s] >= 0 and counts[s] >= min_items:
                distinct[n], last[s] = keys[slots[s]], n
                n += 1
        for i in range(low, high):
            number[order[i]] = last[number[order[i]]]
    return n


@compile_function()
def _sort_by_bucket(keys, bits):  # type: ignore[no-untyped-def]
    """Sort rows into 2**bits buckets by their keys; return their order and the bounds."""
    shift, bounds = np.uint64(64 - bits), bucket_bounds(keys, bits)
    free = bounds[:-1].copy()
    order = np.empty(keys.size, np.int32)
    for i in range(keys.size):
        bucket = np.int64(mix_bits(keys[i]) >> shift)
        order[free[bucket]] = i
        free[bucket] += 1
    return order, bounds


@compile_function()
def write_features(  # type: ignore[no-untyped-def]
    ids, offsets, first, n_fields, ngram, n_words, paired_words, out_keys, out_text
):
    """Write key and choice of each feature that some but not all choices of an item have.

    Rows are sorted by choice. Returns their number, also if the output arrays are too small.
    """
    n_items, n_choices, n = first.size - 1, first[-1], 0
    table = _make_table(64)
    in_field = np.full((n_fields, n_words), -1, np.int64)  # the item whose field last had the word
    in_choice = np.full(n_words, -1, np.int64)
    field_words = np.empty((n_fields, paired_words), np.int64)
    n_listed = np.zeros(n_fields, np.int64)
    shared = np.zeros((n_fields, 1), np.int64)
    for item in range(n_items):
        begin, end = first[item], first[item + 1]
        capacity = table[0].size
        while capacity < 4 * (offsets[end] - offsets[begin]):
            capacity *= 2
        if capacity > table[0].size:
            table = _make_table(capacity)
        for field in range(n_fields):
            text = n_choices + field * n_items + item
            n_listed[field] = _list_words(
                ids, offsets, text, item, in_field[field], field_words[field]
            )
        _count_ngrams(ids, offsets, begin, end, ngram, item, table)
        if shared.shape[1] < end - begin:
            shared = np.zeros((n_fields, end - begin), np.int64)
        _count_shared(ids, offsets, begin, end, item, in_field, in_choice, shared)
        for choice in range(begin, end):
            n = _write_counts(shared, begin, end, choice, out_keys, out_text, n)
            n = _write_ngrams(
                ids, offsets, end - begin, choice, ngram, item, table, field_words, n_listed,
                out_keys, out_text, n,
            )  # fmt: skip
    return n


@compile_function()
def _make_table(capacity):  # type: ignore[no-untyped-def]
    """Make a hash table of n-grams: key, item, how many choices have it, the last of them."""
    keys, stamp = np.empty(capacity, np.uint64), np.full(capacity, -1, np.int64)
    return keys, stamp, np.empty(capacity, np.int64), np.empty(capacity, np.int64)


@compile_function()
def _count_ngrams(ids, offsets, begin, end, ngram, item, table):  # type: ignore[no-untyped-def]
    """Count how many choices of an item have each word and pair."""
    keys, stamp, n_having, last = table
    for choice in range(begin, end):
        for order in range(1, ngram + 1):
            for position in range(offsets[choice], offsets[choice + 1] - order + 1):
                key = _ngram_key(ids, position, order)
                slot = _find_slot(keys, stamp, item, key)
                if stamp[slot] != item:
                    stamp[slot], n_having[slot], last[slot] = item, 0, -1
                    keys[slot] = key
                if last[slot] != choice:
                    last[slot] = choice
                    n_having[slot] += 1


@compile_function()
def _write_counts(shared, begin, end, choice, out_keys, out_text, n):  # type: ignore[no-untyped-def]
    """Write how many words a choice shares with each field, unless all choices are equal in it."""
    m = end - begin
    if m == 1:
        n = _put_feature(out_keys, out_text, n, _pack_key(CONSTANT, 0, 0), choice)
    for field in range(shared.shape[0]):
        n_shared, n_equal = shared[field, choice - begin], 0
        for other in range(m):
            n_equal += shared[field, other] == n_shared
        if n_equal < m or m == 1:
            key = _pack_key(SHARED + field, 0, n_shared)
            n = _put_feature(out_keys, out_text, n, key, choice)
    return n


@compile_function()
def _write_ngrams(  # type: ignore[no-untyped-def]
    ids, offsets, m, choice, ngram, item, table, field_words, n_listed, out_keys, out_text, n
):
    """Write the words and pairs of a choice, and its words paired with those of the fields."""
    keys, stamp, n_having, last = table
    for order in range(1, ngram + 1):
        for position in range(offsets[choice], offsets[choice + 1] - order + 1):
            key = _ngram_key(ids, position, order)
            slot = _find_slot(keys, stamp, item, key)
            # once per choice: a negative `last` marks the choice that it was written for
            if (n_having[slot] == m and m > 1) or last[slot] == -choice - 2:
                continue
            last[slot] = -choice - 2
            n = _put_feature(out_keys, out_text, n, key, choice)
            if order > 1:
                continue
            for field in range(n_listed.size):
                for word in field_words[field, : n_listed[field]]:
                    cross_key = _pack_key(ACROSS + field, word, ids[position])
                    n = _put_feature(out_keys, out_text, n, cross_key, choice)
    return n


@njit(inline="always")
def _put_feature(out_keys, out_text, n, key, choice):  # type: ignore[no-untyped-def]
    if n < out_keys.size:
        out_keys[n], out_text[n] = key, choice
    return n + 1


@njit(inline="always")
def _ngram_key(ids, position, order):  # type: ignore[no-untyped-def]
    if order == 1:
        return _pack_key(WORD, 0, ids[position])
    return _pack_key(PAIR, ids[position], ids[position + 1])


@njit(inline="always")
def _find_slot(keys, stamp, item, key):  # type: ignore[no-untyped-def]
    """Return the slot of a key in the table of an item, or the free slot where it belongs."""
    slot = np.int64(mix_bits(key) & np.uint64(keys.size - 1))
    while stamp[slot] == item and keys[slot] != key:
        slot = (slot + 1) & (keys.size - 1)
    return slot


@compile_function()
def _list_words(ids, offsets, text, item, marks, listed):  # type: ignore[no-untyped-def]
    """Mark the words of a text as the item's, and list the first of them; return how many."""
    n = 0
    for position in range(offsets[text], offsets[text + 1]):
        word = ids[position]
        if marks[word] != item:
            marks[word] = item
            if n < listed.size:
                listed[n] = word
                n += 1
    return n


@compile_function()
def _count_shared(ids, offsets, begin, end, item, in_field, in_choice, shared):  # type: ignore[no-untyped-def]
    """Count for each field how many distinct words each choice shares with it."""
    for choice in range(begin, end):
        row = choice - begin
        shared[:, row] = 0
        for position in range(offsets[choice], offsets[choice + 1]):
            word = ids[position]
            if in_choice[word] == choice:
                continue
            in_choice[word] = choice
            for field in range(in_field.shape[0]):
                if in_field[field, word] == item and shared[field, row] < MAX_SHARED_WORDS:
                    shared[field, row] += 1
