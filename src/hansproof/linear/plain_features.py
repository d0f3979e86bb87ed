"""Features of small inputs, listed in Python: the same rows as the compiled code's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from .feature_kernel import ACROSS, CONSTANT, MAX_SHARED_WORDS, PAIR, SHARED, pack_key

Words = Sequence[int]


def list_features(
    ids: NDArray[np.int64],
    offsets: NDArray[np.int64],
    first: NDArray[np.int64],
    n_fields: int,
    ngram: int,
    paired_words: int,
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Return key and choice of each feature that some but not all choices of an item have."""
    words = ids.tolist()
    texts = [words[begin:end] for begin, end in pairwise(offsets.tolist())]
    n_items, n_choices = first.size - 1, int(first[-1])
    keys: list[int] = []
    sizes: list[int] = []  # rows by choice
    for item, (begin, end) in enumerate(pairwise(first.tolist())):
        fields = [
            list(dict.fromkeys(texts[n_choices + field * n_items + item]))
            for field in range(n_fields)
        ]
        for choice_keys in _item_features(texts[begin:end], fields, ngram, paired_words):
            keys += choice_keys
            sizes.append(len(choice_keys))
    choice = np.repeat(np.arange(n_choices, dtype=np.int32), sizes)
    return np.array(keys, np.uint64), choice


def _item_features(
    choices: Sequence[Words], fields: Sequence[Words], ngram: int, paired_words: int
) -> Iterator[list[int]]:
    """Yield the keys of each choice: shared words, words with their pairs across, then n-grams."""
    ngrams = [dict.fromkeys(_ngram_keys(words, ngram)) for words in choices]
    n_having, m = Counter(chain.from_iterable(ngrams)), len(choices)
    shared = [
        [min(len({*words} & {*field}), MAX_SHARED_WORDS) for words in choices] for field in fields
    ]
    for choice in range(m):
        keys = [pack_key(CONSTANT, 0, 0)] if m == 1 else []
        for field, counts in enumerate(shared):
            if m == 1 or counts.count(counts[choice]) < m:
                keys.append(pack_key(SHARED + field, 0, counts[choice]))
        for key in ngrams[choice]:
            if m > 1 and n_having[key] == m:
                continue
            keys.append(key)
            if key < pack_key(PAIR, 0, 0):  # a single word
                for field, words in enumerate(fields):
                    keys += [pack_key(ACROSS + field, word, key) for word in words[:paired_words]]
        yield keys


def _ngram_keys(words: Words, ngram: int) -> Iterator[int]:
    yield from words  # a word's id is its key
    if ngram > 1:
        yield from (pack_key(PAIR, first, second) for first, second in pairwise(words))
