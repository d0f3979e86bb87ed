"""A tagger of parts of speech that is a table of whole numbers: an averaged perceptron.

A tag's score is a sum: what the word says, what the two words on either side say, and what the
two tags before say (after Collins 2002). The words' shares are worked out once for every word that
turns up; then thousands of texts are tagged side by side, word after word. Sums are of whole
numbers, so a tag depends on nothing but its text.
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

NO_TAG = len(TAGS)  # stands for the tag before the first word
CONTEXT_WORDS = 2  # words that are looked at before and after
MAX_CELLS = 2**18  # words tagged side by side, with those that fill up short texts
MAX_CACHED_WORDS = 200_000  # words whose shares are kept


@dataclass(slots=True)
class _WordScores:
    """What every word that turned up says about the tags, from each place."""

    rows: dict[str, int] = field(default_factory=dict)
    table: Integers = field(
        default_factory=lambda: np.zeros((1024, len(PLACES), len(TAGS)), np.int32)
    )


@dataclass(frozen=True, slots=True)
class Perceptron:
    """Weights by feature, weights by the two tags before, and how many held-out words it gets."""

    feature_rows: dict[str, int]  # of the features
    weights: NDArray[np.int16]  # feature × tag
    history: Integers  # tag before the last × last tag × tag
    n_right: int
    n_words: int
    _word_scores: _WordScores = field(default_factory=_WordScores)

    @property
    def name(self) -> str:
        """What it is, and how good."""
        return f"averaged perceptron on Brown ({self.n_right / self.n_words:.1%} of held-out words)"

    def tag_words(self, texts: Sequence[tuple[str, ...]], positions: Sequence[int]) -> list[str]:
        """The tag of one word of each text."""
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
        """The tags of all words of each text."""
        ends = np.array([len(text) - 1 for text in texts], np.int64)
        tagged: list[list[str]] = [[] for _ in texts]
        for batch, tags in self._tag_batches(texts, ends):
            for row, text in enumerate(batch):
                tagged[text] = [TAGS[tag] for tag in tags[row, : ends[text] + 1]]
        return tagged

    def _tag_batches(
        self, texts: Sequence[tuple[str, ...]], ends: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Some of the texts at a time, by number, and their tags up to where each ends."""
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
        """Tags by text and place; texts come in the order of where they end, the last first."""
        word_scores = self._word_scores.table
        tags = np.full((len(ids), int(ends[0]) + 1 + CONTEXT_WORDS), NO_TAG)  # two before the first
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
        """The rows of the texts' words among the shares, nothing on both sides filled up."""
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
        """Work out the shares of new words."""
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
    """Write it to an `.npz`, which numpy alone can read."""
    from ..._infra.atomic_io import atomic_write

    names = np.frombuffer("\n".join(model.feature_rows).encode(), np.uint8)
    with atomic_write(path) as file:
        np.savez_compressed(
            file, names=names, weights=model.weights, history=model.history,
            held_out=np.array([model.n_right, model.n_words]),
        )  # fmt: skip


def load_tagger(path: str) -> Perceptron:
    """Read what `save` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            names = file["names"].tobytes().decode().split("\n")
            weights, history, held_out = file["weights"], file["history"], file["held_out"]
    except FileNotFoundError:
        raise BadInput(path, "no such file") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, TypeError):
        raise BadInput(path, "is no tagger that hansproof saved") from None
    is_valid = (
        weights.shape == (len(names), len(TAGS))
        and history.shape == (NO_TAG + 1, NO_TAG + 1, len(TAGS))
        and (weights.dtype, history.dtype, held_out.shape) == (np.int16, np.int32, (2,))
        and 0 <= held_out[0] <= held_out[1] > 0
    )
    if not is_valid:
        raise BadInput(path, "is no tagger that hansproof saved, or one of another version")
    rows = {name: row for row, name in enumerate(names)}
    return Perceptron(rows, weights, history, int(held_out[0]), int(held_out[1]))
