"""Counts of n-grams that exactly one choice of an item has, and how often that choice is right.

Each order takes three passes: list the n-grams that only one choice of an item has, group equal
ones, count. Keys are exact: an n-gram is (id of its first n-1 tokens, id of its last token).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from .._infra.compilation import compile_function, is_small
from ..scoring import chance_credits
from ..text.encoding import EncodedTexts, bucket_bounds, encode_texts, mix_bits
from ..text.tokenizers import Tokenizer
from ..types import Items
from .plain_counts import find_exclusive, group_by_key

_U32 = np.uint64(32)
_BUCKET = 1 << 14  # n-grams per bucket, so that its hash table stays in the processor's cache


@dataclass(frozen=True, slots=True)
class ChoiceLayout:
    """The positions of each item's choices in the list of all choices (texts)."""

    first: NDArray[np.int64]  # item i has the texts first[i] .. first[i + 1] - 1
    item: NDArray[np.int32]  # item of each text
    is_answer: NDArray[np.uint8]  # 1 if the text is the answer of its item
    chance: NDArray[np.float64]  # 1 / number of choices, by item


@dataclass(frozen=True, slots=True)
class CueCounts:
    """The n-grams of one order that exactly one choice of some item has.

    `applicability` and `hits` are by n-gram; each pair of `ngram` and `text` is one such
    occurrence, at most one per item.
    """

    order: int
    keys: NDArray[np.uint64]
    applicability: NDArray[np.int32]
    hits: NDArray[np.int32]
    ngram: NDArray[np.int32]
    text: NDArray[np.int32]
    vocabulary: Sequence[str]
    prefixes: tuple[NDArray[np.uint64], ...]  # what the upper half of a key stands for, by order

    def cue_text(self, index: int) -> str:
        """Return the words of an n-gram."""
        words, key = [], int(self.keys[index])
        for order in range(self.order, 1, -1):
            words.append(self.vocabulary[key & 0xFFFFFFFF])
            key >>= 32
            if order > 2:
                key = int(self.prefixes[order - 3][key])
        return " ".join(reversed([*words, self.vocabulary[key]]))

    def first_texts(self) -> NDArray[np.int32]:
        """Return the first text that each n-gram applies to; its rows are in the order of texts."""
        texts = np.zeros(self.keys.size, np.int32)
        texts[self.ngram[::-1]] = self.text[::-1]  # the last of several writes wins
        return texts


def build_layout(items: Items) -> ChoiceLayout:
    """Build the layout of labelled items."""
    sizes = np.fromiter((len(item.choices) for item in items), np.int64, len(items))
    first = np.concatenate(([0], np.cumsum(sizes)))
    is_answer = np.zeros(first[-1], np.uint8)
    is_answer[first[:-1] + answer_array(items)] = 1
    item = np.repeat(np.arange(len(items), dtype=np.int32), sizes)
    return ChoiceLayout(first, item, is_answer, chance_credits(items))


def answer_array(items: Items) -> NDArray[np.int64]:
    """Return the answers of labelled items as an array."""
    return np.array([item.answer for item in items], np.int64)


def count_cues(
    items: Items, tokenizer: Tokenizer, ngram: int, layout: ChoiceLayout
) -> list[CueCounts]:
    """Count the cues of every order up to `ngram`."""
    texts = list(chain.from_iterable(item.choices for item in items))
    encoded = encode_texts(texts, tokenizer)
    prefix = encoded.ids
    prefixes: tuple[NDArray[np.uint64], ...] = ()
    counts: list[CueCounts] = []
    for order in range(1, ngram + 1):
        if order > 2:
            # every (order - 1)-gram gets an id, so that longer keys also fit in 64 bits exactly
            prefix, keys = _intern_keys(_pair_keys(prefix, encoded.ids, order - 1))
            prefixes = (*prefixes, keys)
        counts.append(_count_order(encoded, layout, order, prefix, prefixes))
    return counts


def _count_order(
    encoded: EncodedTexts,
    layout: ChoiceLayout,
    order: int,
    prefix: NDArray[np.int32],
    prefixes: tuple[NDArray[np.uint64], ...],
) -> CueCounts:
    vocabulary, size = encoded.vocabulary, encoded.ids.size
    if is_small(size):
        return _count_small_order(encoded, layout, order, prefix, prefixes)
    # large arrays are allocated by numpy, which requests huge pages, not in compiled code
    text = np.empty(size, np.int32)
    if order == 1:  # token ids are consecutive already: there is nothing to group
        ngram = np.empty(size, np.int32)
        texts = (encoded.ids, encoded.offsets, layout.first, layout.is_answer)
        n, applicability, hits = _exclusive_words(*texts, len(vocabulary), ngram, text)
        numbers = np.arange(len(vocabulary), dtype=np.uint64)
        return CueCounts(1, numbers, applicability, hits, ngram[:n], text[:n], vocabulary, prefixes)
    keys = np.empty(size, np.uint64)
    n = _exclusive_ngrams(prefix, encoded.ids, order, encoded.offsets, layout.first, keys, text)
    return CueCounts(
        order, *_group_keys(keys[:n], text[:n], layout.is_answer), vocabulary, prefixes
    )


def _count_small_order(
    encoded: EncodedTexts,
    layout: ChoiceLayout,
    order: int,
    prefix: NDArray[np.int32],
    prefixes: tuple[NDArray[np.uint64], ...],
) -> CueCounts:
    vocabulary, offsets = encoded.vocabulary, encoded.offsets
    text = np.repeat(np.arange(offsets.size - 1, dtype=np.int32), np.diff(offsets))
    is_whole = np.arange(text.size) + order <= offsets[text + 1]
    keys = encoded.ids.astype(np.uint64) if order == 1 else _pair_keys(prefix, encoded.ids, order)
    text = text[is_whole]
    keys, text = find_exclusive(keys[is_whole], text, layout.item[text])
    if order == 1:
        ngram, numbers = keys.astype(np.int32), np.arange(len(vocabulary), dtype=np.uint64)
        hit = layout.is_answer[text] == 1
        applicability, hits = (
            np.bincount(rows, minlength=len(vocabulary)).astype(np.int32)
            for rows in (ngram, ngram[hit])
        )
        return CueCounts(1, numbers, applicability, hits, ngram, text, vocabulary, prefixes)
    return CueCounts(order, *_group_keys(keys, text, layout.is_answer), vocabulary, prefixes)


def _group_keys(
    keys: NDArray[np.uint64], text: NDArray[np.int32], is_answer: NDArray[np.uint8]
) -> tuple[
    NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]
]:
    """Group equal keys: return key, occurrences and hits by number; number and text by row.

    `keys` and `text` are overwritten: new memory would cost more than the work done in it.
    """
    bits = min(max(keys.size // _BUCKET, 1).bit_length(), 11)
    if is_small(keys.size):
        return group_by_key(keys, text, is_answer, bits)
    sorted_keys, sorted_text = np.empty_like(keys), np.empty_like(text)
    bounds = _partition_keys(keys, text, bits, sorted_keys, sorted_text)
    number, distinct = text, keys
    occurrences, hits = np.empty_like(text), np.empty_like(text)
    n = _number_keys(
        sorted_keys, sorted_text, is_answer, bounds, number, distinct, occurrences, hits
    )
    return distinct[:n], occurrences[:n], hits[:n], number, sorted_text


def _pair_keys(
    prefix: NDArray[np.int32], last: NDArray[np.int32], order: int
) -> NDArray[np.uint64]:
    keys = np.zeros(prefix.size, np.uint64)
    n = prefix.size - order + 1
    if n > 0:
        keys[:n] = prefix[:n].astype(np.uint64) << _U32 | last[order - 1 :].astype(np.uint64)
    return keys


def _intern_keys(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Number the distinct keys: return the number by position, and the key by number."""
    positions = np.arange(keys.size, dtype=np.int32)
    no_answers = np.zeros(keys.size, np.uint8)  # hits are not needed
    distinct, _, _, number, positions = _group_keys(keys, positions, no_answers)
    by_position = np.empty(keys.size, np.int32)
    by_position[positions] = number
    return by_position, distinct


@compile_function()
def _exclusive_ngrams(prefix, ids, order, offsets, first, out_keys, out_text):  # type: ignore[no-untyped-def]
    """Write the n-grams that exactly one choice of an item has; return how many."""
    n = 0
    keys = np.empty(64, np.uint64)
    stamp = np.full(64, -1, np.int32)  # the item that last used a slot
    owner = np.empty(64, np.int32)  # the text that has the n-gram; -1: several have it
    used = np.empty(64, np.int32)
    for item in range(first.size - 1):
        size = 64
        while size < 4 * (offsets[first[item + 1]] - offsets[first[item]]):
            size *= 2
        if size > keys.size:
            keys = np.empty(size, np.uint64)
            stamp = np.full(size, -1, np.int32)
            owner = np.empty(size, np.int32)
            used = np.empty(size, np.int32)
        distinct = 0
        for text in range(first[item], first[item + 1]):
            for p in range(offsets[text], offsets[text + 1] - order + 1):
                key = np.uint64(prefix[p]) << _U32 | np.uint64(ids[p + order - 1])
                slot = np.int64(mix_bits(key) & np.uint64(size - 1))
                while stamp[slot] == item and keys[slot] != key:
                    slot = (slot + 1) & (size - 1)
                if stamp[slot] != item:
                    stamp[slot], keys[slot], owner[slot] = item, key, text
                    used[distinct] = slot
                    distinct += 1
                elif owner[slot] != text:
                    owner[slot] = -1
        for u in range(distinct):
            slot = used[u]
            out_keys[n], out_text[n] = keys[slot], owner[slot]
            n += owner[slot] >= 0  # an n-gram of several choices is overwritten
    return n


@compile_function()
def _exclusive_words(ids, offsets, first, is_answer, size, out_word, out_text):  # type: ignore[no-untyped-def]
    """Do the same for single words, whose ids are positions in a table; count them as well."""
    marks = np.full(size, -1, np.int64)  # item, then the text that has the word; 0: several have it
    counts = np.zeros(size, np.int64)  # applicability, then hits
    n = 0
    for item in range(first.size - 1):
        end, mark = n, item << 32
        for text in range(first[item], first[item + 1]):
            for p in range(offsets[text], offsets[text + 1]):
                word = ids[p]
                if marks[word] >> 32 != item:
                    marks[word] = mark | (text + 1)
                    out_word[end] = word
                    end += 1
                elif marks[word] != mark | (text + 1):
                    marks[word] = mark
        for u in range(n, end):  # words of several choices are overwritten
            word = out_word[u]
            text = (marks[word] & 0xFFFFFFFF) - 1
            out_word[n], out_text[n] = word, text
            is_exclusive = text >= 0
            n += is_exclusive
            counts[word] += (is_exclusive << 32) | (is_exclusive and is_answer[text])
    return n, (counts >> 32).astype(np.int32), (counts & 0xFFFFFFFF).astype(np.int32)


@compile_function()
def _partition_keys(keys, text, bits, out_keys, out_text):  # type: ignore[no-untyped-def]
    """Sort keys and texts into 2**bits buckets, equal keys into one; return their bounds."""
    shift, bounds = np.uint64(64 - bits), bucket_bounds(keys, bits)
    free = bounds[:-1].copy()
    for i in range(keys.size):
        bucket = np.int64(mix_bits(keys[i]) >> shift)
        out_keys[free[bucket]] = keys[i]
        out_text[free[bucket]] = text[i]
        free[bucket] += 1
    return bounds


@compile_function()
def _number_keys(keys, text, is_answer, bounds, number, distinct, occurrences, hits):  # type: ignore[no-untyped-def]
    """Number the distinct keys by bucket, count their occurrences and hits; return how many."""
    n = 0
    slots = np.empty(64, np.int32)
    for bucket in range(bounds.size - 1):
        low, high = bounds[bucket], bounds[bucket + 1]
        size = 64
        while size < 2 * (high - low):
            size *= 2
        if size > slots.size:
            slots = np.empty(size, np.int32)
        slots[:size] = -1
        for i in range(low, high):
            key = keys[i]
            slot = np.int64(mix_bits(key) & np.uint64(size - 1))
            while slots[slot] >= 0 and distinct[slots[slot]] != key:
                slot = (slot + 1) & (size - 1)
            if slots[slot] < 0:
                slots[slot], distinct[n], occurrences[n], hits[n] = n, key, 0, 0
                n += 1
            k = slots[slot]
            number[i] = k
            occurrences[k] += 1
            hits[k] += is_answer[text[i]]
    return n
