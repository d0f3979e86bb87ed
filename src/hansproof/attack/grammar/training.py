"""Trains the perceptron on nine tenths of Brown, measures it on the rest, and keeps it.

Every sentence is seen in two ways: as it is printed, and as attacks see texts, in lower case,
without marks, eight words at a time.
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

from ... import digest
from ...errors import BadInput, ModelError
from ...models._bar import watched
from . import brown
from .brown import Sentence
from .features import AFTER_1, AFTER_2, BEFORE_1, BEFORE_2, FIRST, HERE, NOTHING, PLACES, features
from .perceptron import AHEAD, NONE, Perceptron, load, save
from .tagset import TAGS

FORMAT = 2  # of what is kept; a new one when features or training change
EPOCHS = 5
HELD_OUT = 10  # every tenth text
WINDOW = 8  # words
MARK = "."
LARGEST = 2**15 - 1  # the largest weight; the others follow
LEAST = 3  # times that a feature must turn up, in either way
AT_OTHERS = (BEFORE_2, BEFORE_1, HERE, AFTER_1, AFTER_2)
AT_FIRST = (BEFORE_2, BEFORE_1, FIRST, AFTER_1, AFTER_2)

Table = NDArray[Any]


def kept() -> Perceptron:
    """The tagger; trained if it is not there."""
    from ...fetch import cache

    corpus = brown.path()
    named = hashlib.sha256(f"{FORMAT} {digest.sha256((corpus,))}".encode()).hexdigest()
    path = os.path.join(cache(), "tagger", f"brown-{named[:16]}.npz")
    try:
        return load(path)
    except BadInput:  # not there, or damaged
        model = train(brown.read(corpus))
        save(path, model)
        return model


def train(texts: Sequence[Sequence[Sentence]], epochs: int = EPOCHS) -> Perceptron:
    """Learn from nine of ten texts and say how many words of the tenth are right."""
    shown, held_out = parted(texts)
    if not held_out:
        raise BadInput("tagged corpus", f"has fewer than {HELD_OUT} texts")
    sentences = [way for sentence in shown for way in _ways(sentence)]
    model = _trained(sentences, epochs)
    right, words = measured(model, held_out)
    return replace(model, right=right, words=words)


def parted(texts: Sequence[Sequence[Sentence]]) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences to learn from, and those of every tenth text."""
    last = HELD_OUT - 1
    shown = [one for at, text in enumerate(texts) if at % HELD_OUT != last for one in text]
    return shown, [one for text in texts[last::HELD_OUT] for one in text]


def measured(model: Perceptron, sentences: Sequence[Sentence]) -> tuple[int, int]:
    """How many words get their tag, and how many there are; marks do not count."""
    said = model.whole([words for words, _ in sentences])
    pairs = [
        (tag, other)
        for (_, tags), others in zip(sentences, said, strict=True)
        for tag, other in zip(tags, others, strict=True)
        if tag != MARK
    ]
    return sum(tag == other for tag, other in pairs), len(pairs)


def _ways(sentence: Sentence) -> Iterable[Sentence]:
    yield sentence
    pairs = [(w.lower(), tag) for w, tag in zip(*sentence, strict=True) if tag != MARK]
    for start in range(0, len(pairs), WINDOW):
        words, tags = zip(*pairs[start : start + WINDOW], strict=True)
        yield words, tags


def _trained(sentences: Sequence[Sentence], epochs: int) -> Perceptron:
    ids, tags, bounds, words = _laid_out(sentences)
    rows, table = _numbered(words, np.bincount(ids))
    weights = np.zeros((len(rows) + (NONE + 1) * (NONE + 2), len(TAGS)), np.int32)
    sums, step, epoch = np.zeros(weights.shape), 0, _compiled()
    draw = np.random.default_rng(0)
    for _ in watched(range(epochs), "training the tagger of parts of speech"):
        order = draw.permutation(len(sentences))
        step = epoch(order, bounds, ids, tags, table, len(rows), weights, sums, step)
    mean = weights - sums / step
    scale = LARGEST / (np.abs(mean).max() or 1)
    whole = np.rint(mean * scale).astype(np.int32)
    last, pairs = np.split(whole[len(rows) :], [NONE + 1])
    history = pairs.reshape(NONE + 1, NONE + 1, -1) + last
    return Perceptron(rows, whole[: len(rows)].astype(np.int16), history, 0, 0)


def _laid_out(sentences: Sequence[Sentence]) -> tuple[Table, Table, Table, list[str]]:
    """Numbers of all words in a row, two nothings between sentences; tags; where each begins."""
    known = {NOTHING: 0}
    gap = (NOTHING,) * AHEAD
    ids = [known.setdefault(w, len(known)) for words, _ in sentences for w in (*gap, *words)]
    tags = [tag for _, some in sentences for tag in (*gap, *some)]
    ends = np.cumsum([AHEAD + len(words) for words, _ in sentences])
    bounds = np.stack([np.append(0, ends[:-1]) + AHEAD, ends], axis=1)
    codes = {tag: code for code, tag in enumerate(TAGS)}
    return (
        np.array([*ids, *(0,) * AHEAD], np.int32),
        np.array([codes.get(tag, NONE) for tag in tags], np.int8),
        bounds,
        list(known),
    )


def _numbered(words: Sequence[str], counts: Table) -> tuple[dict[str, int], Table]:
    """The features that turn up often enough, and those of each word by place, -1 behind them."""
    named = [features(word) for word in words]
    often: Counter[str] = Counter()
    for some, count in zip(named, counts.tolist(), strict=True):
        for name in {name for names in some for name in names}:
            often[name] += count
    kept = (name for name, count in often.items() if count >= LEAST)
    rows = {name: row for row, name in enumerate(sorted(kept))}
    found = [[[rows[name] for name in names if name in rows] for names in some] for some in named]
    width = 1 + max(len(some) for word in found for some in word)
    table = np.full((len(words), len(PLACES), width), -1, np.int32)
    for word, places in enumerate(found):
        for place, numbers in enumerate(places):
            table[word, place, : len(numbers)] = numbers
    return rows, table


def _compiled() -> Any:
    try:
        from numba import njit
    except ImportError:
        hint = "train it where numba is, and name its file here: perceptron:PATH"
        raise ModelError(f"training the tagger needs numba: {hint}") from None
    return njit(cache=True)(_epoch)


def _epoch(order, bounds, ids, tags, table, count, weights, sums, step):  # type: ignore[no-untyped-def]
    """One walk through all sentences: where a tag is wrong, its weights fall and the right's rise.

    `sums` has every change times when it was made, from which the mean over time follows.
    """
    scores = np.zeros(weights.shape[1], np.int64)
    active = np.zeros(table.shape[1] * table.shape[2] + 2, np.int64)
    for sentence in order:
        begin, end = bounds[sentence]
        before, last = NONE, NONE
        for at in range(begin, end):
            step += 1
            active[0] = count + last
            active[1] = count + (NONE + 1) * (1 + before) + last
            n = 2
            for near in range(-AHEAD, AHEAD + 1):
                place = AT_FIRST[near + AHEAD] if at == begin else AT_OTHERS[near + AHEAD]
                for row in table[ids[at + near], place]:
                    if row < 0:
                        break
                    active[n] = row
                    n += 1
            scores[:] = 0
            for row in active[:n]:
                scores += weights[row]
            said, right = int(scores.argmax()), tags[at]
            if said != right:
                for row in active[:n]:
                    weights[row, right] += 1
                    weights[row, said] -= 1
                    sums[row, right] += step
                    sums[row, said] -= step
            before, last = last, said
    return step
