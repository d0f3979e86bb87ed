"""A part-of-speech tagger: an averaged perceptron with integer weights (after Collins 2002).

The score of a tag is a sum over the word, the two words on either side and the two tags before.
The scores of each word are computed once; then thousands of texts are tagged in parallel, word by
word. Sums of integers are exact, so a tag depends on its text alone.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput
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
from .tagset import TAGS

Integers = NDArray[np.int32]

NO_TAG = len(TAGS)  # the tag before the first word
CONTEXT_WORDS = 2  # words of context on either side
MAX_CELLS = 2**18  # words tagged in parallel, padding included
MAX_CACHED_WORDS = 200_000  # words whose scores are cached


@dataclass(slots=True)
class _WordScores:
    """Cached scores of tags by word and place."""

    rows: dict[str, int] = field(default_factory=dict)
    table: Integers = field(
        default_factory=lambda: np.zeros((1024, len(PLACES), len(TAGS)), np.int32)
    )


@dataclass(frozen=True, slots=True)
class Perceptron:
    """Weights of features and of the two previous tags, and the accuracy on held-out words."""

    feature_rows: dict[str, int]  # row of each feature in `weights`
    weights: NDArray[np.int16]  # feature × tag
    history: Integers  # tag before the last × last tag × tag
    n_right: int
    n_words: int
    _word_scores: _WordScores = field(default_factory=_WordScores)

    @property
    def name(self) -> str:
        """The name of the tagger, with its accuracy."""
        return f"averaged perceptron on Brown ({self.n_right / self.n_words:.1%} of held-out words)"

    def tag_words(self, texts: Sequence[tuple[str, ...]], positions: Sequence[int]) -> list[str]:
        """Return the tag of one word of each text."""
        ends = np.array(positions, np.int64)
        assert all(
            0 <= position < len(text) for text, position in zip(texts, positions, strict=True)
        )
        visible_texts = [
            text[: position + 1 + CONTEXT_WORDS]
            for text, position in zip(texts, positions, strict=True)
        ]
        tag_ids = np.empty(len(texts), np.int64)
        for batch, tags in self._tag_batches(visible_texts, ends):
            tag_ids[batch] = tags[np.arange(len(batch)), ends[batch]]
        return [TAGS[tag] for tag in tag_ids]

    def tag_texts(self, texts: Sequence[tuple[str, ...]]) -> list[list[str]]:
        """Return the tags of all words of each text."""
        ends = np.array([len(text) - 1 for text in texts], np.int64)
        tagged: list[list[str]] = [[] for _ in texts]
        for batch, tags in self._tag_batches(texts, ends):
            for row, text in enumerate(batch):
                tagged[text] = [TAGS[tag] for tag in tags[row, : ends[text] + 1]]
        return tagged

    def _tag_batches(
        self, texts: Sequence[tuple[str, ...]], ends: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield batches: indices of texts, and their tags up to the end of each."""
        order, start = np.argsort(-ends, kind="stable"), 0
        while start < len(order):
            longest = int(ends[order[start]]) + 1 + 2 * CONTEXT_WORDS
            batch = order[start : start + max(1, MAX_CELLS // longest)]
            ids = self._word_ids([texts[text] for text in batch])
            yield batch, self._tag_side_by_side(ids, ends[batch])
            start += len(batch)

    def _tag_side_by_side(
        self, ids: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return tags by text and position; texts must be sorted by their end, longest first."""
        word_scores = self._word_scores.table
        tags = np.full(
            (len(ids), int(ends[0]) + 1 + CONTEXT_WORDS), NO_TAG
        )  # padded with two tags at the start
        for place in range(int(ends[0]) + 1):
            n_active = int(np.searchsorted(-ends, -place, side="right"))
            words, (last, before) = (
                ids[:n_active],
                (tags[:n_active, place + 1], tags[:n_active, place]),
            )
            scores = self.history[before, last]
            scores += word_scores[words[:, place + 2], CURRENT if place else FIRST]
            scores += word_scores[words[:, place + 1], BEFORE_1]
            scores += word_scores[words[:, place], BEFORE_2]
            scores += word_scores[words[:, place + 3], AFTER_1]
            scores += word_scores[words[:, place + 4], AFTER_2]
            tags[:n_active, place + 2] = scores.argmax(axis=1)
        return tags[:, CONTEXT_WORDS:]

    def _word_ids(self, texts: Sequence[tuple[str, ...]]) -> NDArray[np.int64]:
        """Return the rows of the texts' words in the score table, padded on both sides."""
        row_of_word = self._word_scores.rows
        words = {word for text in texts for word in text}
        if len(row_of_word) + len(words) > MAX_CACHED_WORDS:
            row_of_word.clear()
        self._add_words(word for word in (NO_WORD, *sorted(words)) if word not in row_of_word)
        longest = max(map(len, texts))
        ids = np.full((len(texts), longest + 2 * CONTEXT_WORDS), row_of_word[NO_WORD])
        sizes = np.array([len(text) for text in texts])
        inside = np.arange(longest) < sizes[:, None]
        flat = [row_of_word[word] for text in texts for word in text]
        ids[:, CONTEXT_WORDS : CONTEXT_WORDS + longest][inside] = flat
        return ids

    def _add_words(self, words: Iterable[str]) -> None:
        """Compute and cache the scores of new words."""
        word_scores = self._word_scores
        for word in words:
            row = word_scores.rows[word] = len(word_scores.rows)
            if row >= len(word_scores.table):
                word_scores.table = np.concatenate(
                    [word_scores.table, np.zeros_like(word_scores.table)]
                )
            for place, names in enumerate(word_features(word)):
                known_rows = [
                    self.feature_rows[name] for name in names if name in self.feature_rows
                ]
                word_scores.table[row, place] = self.weights[known_rows].sum(axis=0, dtype=np.int32)


def save_tagger(path: str, model: Perceptron) -> None:
    """Save a tagger as `.npz`, which numpy alone can read."""
    from ..._infra.atomic_io import atomic_write

    names = np.frombuffer("\n".join(model.feature_rows).encode(), np.uint8)
    with atomic_write(path) as file:
        np.savez_compressed(
            file, names=names, weights=model.weights, history=model.history,
            held_out=np.array([model.n_right, model.n_words]),
        )  # fmt: skip


def load_tagger(path: str) -> Perceptron:
    """Load a tagger that `save_tagger` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            names = file["names"].tobytes().decode().split("\n")
            weights, history, held_out = file["weights"], file["history"], file["held_out"]
    except FileNotFoundError:
        raise BadInput(path, "no such file") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, TypeError):
        raise BadInput(path, "is not a tagger saved by hansproof") from None
    is_valid = (
        weights.shape == (len(names), len(TAGS))
        and history.shape == (NO_TAG + 1, NO_TAG + 1, len(TAGS))
        and (weights.dtype, history.dtype, held_out.shape) == (np.int16, np.int32, (2,))
        and 0 <= held_out[0] <= held_out[1] > 0
    )
    if not is_valid:
        raise BadInput(path, "is not a tagger saved by hansproof, or was saved by another version")
    rows = {name: row for row, name in enumerate(names)}
    return Perceptron(rows, weights, history, int(held_out[0]), int(held_out[1]))
