"""Counts of cues by numpy alone, for small inputs; the same results as the compiled code's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..text.encoding import mix_bits

Keys = NDArray[np.uint64]
Ints = NDArray[np.int32]


def find_exclusive(keys: Keys, text: Ints, item: Ints) -> tuple[Keys, Ints]:
    """Return key and text of the n-grams that only one choice of an item has.

    There is a row for each n-gram of a text, in the order of texts. The result is in the order of
    first appearance.
    """
    if not keys.size:
        return keys, text
    order = np.lexsort((keys, item))  # stable: equal n-grams of an item stay in their order
    is_new = (np.diff(keys[order]) != 0) | (np.diff(item[order]) != 0)
    starts = np.concatenate(([0], np.flatnonzero(is_new) + 1))
    texts = text[order]
    is_exclusive = np.minimum.reduceat(texts, starts) == np.maximum.reduceat(texts, starts)
    rows = np.sort(order[starts[is_exclusive]])
    return keys[rows], text[rows]


def group_by_key(
    keys: Keys, text: Ints, is_answer: NDArray[np.uint8], bits: int
) -> tuple[Keys, Ints, Ints, Ints, Ints]:
    """Group equal keys: return key, occurrences and hits by number; number and text by row.

    Keys are numbered by bucket, and in a bucket by first appearance.
    """
    bucket = mix_bits.py_func(keys) >> np.uint64(64 - bits)
    rows = np.argsort(bucket, kind="stable")
    sorted_keys, sorted_text = keys[rows], text[rows]
    distinct, first, index = np.unique(sorted_keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(order.size, np.int32)
    rank[order] = np.arange(order.size)
    number = rank[index]
    hits = np.bincount(number[is_answer[sorted_text] == 1], minlength=order.size)
    occurrences = np.bincount(number, minlength=order.size)
    counts = occurrences.astype(np.int32), hits.astype(np.int32)
    return distinct[order], *counts, number, sorted_text
