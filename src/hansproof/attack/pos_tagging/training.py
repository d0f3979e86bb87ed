"""Trains the perceptron on nine tenths of the Brown corpus, tests it on the rest, and caches it.

Each sentence is used in two variants: as printed, and as attacks see texts, in lower case, without
punctuation, eight words at a time.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._infra import hashing
from ..._infra.progress import track_optional
from ...errors import BadInput, ModelError
from . import brown
from .brown import Sentence
from .features import (
    AFTER_1,
    AFTER_2,
    BEFORE_1,
    BEFORE_2,
    CURRENT,
    FIRST,
    NO_WORD,
    PLACES,
    word_features,
)
from .perceptron import CONTEXT_WORDS, NO_TAG, Perceptron, load_tagger, save_tagger
from .tagset import TAGS

FORMAT_VERSION = 2  # of the cached file; increase it when features or training change
EPOCHS = 5
HELD_OUT_STEP = 10  # every tenth text
WINDOW = 8  # words
MARK = "."
MAX_WEIGHT = 2**15 - 1  # weights are scaled to this maximum
MIN_COUNT = 3  # occurrences that a feature needs, in both variants together
LATER_PLACES = (BEFORE_2, BEFORE_1, CURRENT, AFTER_1, AFTER_2)
FIRST_PLACES = (BEFORE_2, BEFORE_1, FIRST, AFTER_1, AFTER_2)

Array = NDArray[Any]


def load_or_train() -> Perceptron:
    """Return the cached tagger; train it if there is none."""
    from ...download import cache_dir

    corpus = brown.corpus_path()
    key = hashlib.sha256(f"{FORMAT_VERSION} {hashing.file_sha256((corpus,))}".encode()).hexdigest()
    path = os.path.join(cache_dir(), "tagger", f"brown-{key[:16]}.npz")
    try:
        return load_tagger(path)
    except BadInput:  # missing or damaged
        model = train_tagger(brown.read_corpus(corpus))
        save_tagger(path, model)
        return model


def train_tagger(texts: Sequence[Sequence[Sentence]], epochs: int = EPOCHS) -> Perceptron:
    """Train a tagger on nine of ten texts and measure it on the tenth."""
    train_sentences, held_out = split_texts(texts)
    if not held_out:
        raise BadInput("tagged corpus", f"has fewer than {HELD_OUT_STEP} texts")
    sentences = [
        variant for sentence in train_sentences for variant in _sentence_variants(sentence)
    ]
    model = _train_weights(sentences, epochs)
    right, words = count_right_tags(model, held_out)
    return replace(model, n_right=right, n_words=words)


def split_texts(texts: Sequence[Sequence[Sentence]]) -> tuple[list[Sentence], list[Sentence]]:
    """Return the sentences to train on, and those of every tenth text."""
    last = HELD_OUT_STEP - 1
    train_sentences = [
        sentence
        for index, text in enumerate(texts)
        if index % HELD_OUT_STEP != last
        for sentence in text
    ]
    return train_sentences, [sentence for text in texts[last::HELD_OUT_STEP] for sentence in text]


def count_right_tags(model: Perceptron, sentences: Sequence[Sentence]) -> tuple[int, int]:
    """Return the number of words tagged right, and of all words, without punctuation."""
    predictions = model.tag_texts([words for words, _ in sentences])
    pairs = [
        (tag, predicted)
        for (_, tags), predicted_tags in zip(sentences, predictions, strict=True)
        for tag, predicted in zip(tags, predicted_tags, strict=True)
        if tag != MARK
    ]
    return sum(tag == predicted for tag, predicted in pairs), len(pairs)


def _sentence_variants(sentence: Sentence) -> Iterable[Sentence]:
    yield sentence
    pairs = [(w.lower(), tag) for w, tag in zip(*sentence, strict=True) if tag != MARK]
    for start in range(0, len(pairs), WINDOW):
        words, tags = zip(*pairs[start : start + WINDOW], strict=True)
        yield words, tags


def _train_weights(sentences: Sequence[Sentence], epochs: int) -> Perceptron:
    ids, tags, bounds, words = _flatten_sentences(sentences)
    rows, table = _number_features(words, np.bincount(ids))
    weights = np.zeros((len(rows) + (NO_TAG + 1) * (NO_TAG + 2), len(TAGS)), np.int32)
    sums, step, epoch = np.zeros(weights.shape), 0, _compile_epoch()
    rng = np.random.default_rng(0)
    for _ in track_optional(range(epochs), "training the part-of-speech tagger"):
        order = rng.permutation(len(sentences))
        step = epoch(order, bounds, ids, tags, table, len(rows), weights, sums, step)
    mean = weights - sums / step
    scale = MAX_WEIGHT / (np.abs(mean).max() or 1)
    rounded = np.rint(mean * scale).astype(np.int32)
    last, pairs = np.split(rounded[len(rows) :], [NO_TAG + 1])
    history = pairs.reshape(NO_TAG + 1, NO_TAG + 1, -1) + last
    return Perceptron(rows, rounded[: len(rows)].astype(np.int16), history, 0, 0)


def _flatten_sentences(sentences: Sequence[Sentence]) -> tuple[Array, Array, Array, list[str]]:
    """Return word ids of all sentences, padded between them, tags, sentence bounds and words."""
    word_ids = {NO_WORD: 0}
    gap = (NO_WORD,) * CONTEXT_WORDS
    ids = [word_ids.setdefault(w, len(word_ids)) for words, _ in sentences for w in (*gap, *words)]
    tags = [tag for _, sentence_tags in sentences for tag in (*gap, *sentence_tags)]
    ends = np.cumsum([CONTEXT_WORDS + len(words) for words, _ in sentences])
    bounds = np.stack([np.append(0, ends[:-1]) + CONTEXT_WORDS, ends], axis=1)
    codes = {tag: code for code, tag in enumerate(TAGS)}
    return (
        np.array([*ids, *(0,) * CONTEXT_WORDS], np.int32),
        np.array([codes.get(tag, NO_TAG) for tag in tags], np.int8),
        bounds,
        list(word_ids),
    )


def _number_features(words: Sequence[str], counts: Array) -> tuple[dict[str, int], Array]:
    """Return rows of frequent features, and their table by word and place, padded with -1."""
    features_by_word = [word_features(word) for word in words]
    feature_counts: Counter[str] = Counter()
    for by_place, count in zip(features_by_word, counts.tolist(), strict=True):
        for name in {name for names in by_place for name in names}:
            feature_counts[name] += count
    frequent = (name for name, count in feature_counts.items() if count >= MIN_COUNT)
    rows = {name: row for row, name in enumerate(sorted(frequent))}
    rows_by_word = [
        [[rows[name] for name in names if name in rows] for names in by_place]
        for by_place in features_by_word
    ]
    width = 1 + max(len(place_rows) for word in rows_by_word for place_rows in word)
    table = np.full((len(words), len(PLACES), width), -1, np.int32)
    for word, places in enumerate(rows_by_word):
        for place, numbers in enumerate(places):
            table[word, place, : len(numbers)] = numbers
    return rows, table


def _compile_epoch() -> Any:
    from ..._infra.compilation import compile_function

    try:
        return compile_function()(_run_epoch)
    except ImportError:
        hint = "train it where numba is installed, and give its file here: perceptron:PATH"
        raise ModelError(f"training the tagger needs numba: {hint}") from None


def _run_epoch(order, bounds, ids, tags, table, n_features, weights, sums, step):  # type: ignore[no-untyped-def]
    """Train for one epoch: a wrong tag loses weight and the right tag gains it.

    `sums` adds up every change times its step, from which the mean over time follows.
    """
    scores = np.zeros(weights.shape[1], np.int64)
    active = np.zeros(table.shape[1] * table.shape[2] + 2, np.int64)
    for sentence in order:
        begin, end = bounds[sentence]
        before, last = NO_TAG, NO_TAG
        for position in range(begin, end):
            step += 1
            active[0] = n_features + last
            active[1] = n_features + (NO_TAG + 1) * (1 + before) + last
            n = 2
            for offset in range(-CONTEXT_WORDS, CONTEXT_WORDS + 1):
                place = (
                    FIRST_PLACES[offset + CONTEXT_WORDS]
                    if position == begin
                    else LATER_PLACES[offset + CONTEXT_WORDS]
                )
                for row in table[ids[position + offset], place]:
                    if row < 0:
                        break
                    active[n] = row
                    n += 1
            scores[:] = 0
            for row in active[:n]:
                scores += weights[row]
            predicted, right = int(scores.argmax()), tags[position]
            if predicted != right:
                for row in active[:n]:
                    weights[row, right] += 1
                    weights[row, predicted] -= 1
                    sums[row, right] += step
                    sums[row, predicted] -= step
            before, last = last, predicted
    return step
