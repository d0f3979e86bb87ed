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
from .features import AFTER_1, AFTER_2, BEFORE_1, BEFORE_2, FIRST, HERE, NOTHING, PLACES, features
from .tagset import TAGS

Whole = NDArray[np.int32]

NONE = len(TAGS)  # stands for the tag before the first word
AHEAD = 2  # words that are looked at before and after
CELLS = 2**18  # words tagged side by side, with those that fill up short texts
MOST = 200_000  # words whose shares are kept


@dataclass(slots=True)
class _Shares:
    """What every word that turned up says about the tags, from each place."""

    rows: dict[str, int] = field(default_factory=dict)
    table: Whole = field(default_factory=lambda: np.zeros((1024, len(PLACES), len(TAGS)), np.int32))


@dataclass(frozen=True, slots=True)
class Perceptron:
    """Weights by feature, weights by the two tags before, and how many held-out words it gets."""

    rows: dict[str, int]  # of the features
    weights: NDArray[np.int16]  # feature × tag
    history: Whole  # tag before the last × last tag × tag
    right: int
    words: int
    _shares: _Shares = field(default_factory=_Shares)

    @property
    def name(self) -> str:
        """What it is, and how good."""
        return f"averaged perceptron on Brown ({self.right / self.words:.1%} of held-out words)"

    def tags(self, texts: Sequence[tuple[str, ...]], at: Sequence[int]) -> list[str]:
        """The tag of one word of each text."""
        ends = np.array(at, np.int64)
        assert all(0 <= place < len(text) for text, place in zip(texts, at, strict=True))
        seen = [text[: place + 1 + AHEAD] for text, place in zip(texts, at, strict=True)]
        found = np.empty(len(texts), np.int64)
        for some, tags in self._tagged(seen, ends):
            found[some] = tags[np.arange(len(some)), ends[some]]
        return [TAGS[tag] for tag in found]

    def whole(self, texts: Sequence[tuple[str, ...]]) -> list[list[str]]:
        """The tags of all words of each text."""
        ends = np.array([len(text) - 1 for text in texts], np.int64)
        found: list[list[str]] = [[] for _ in texts]
        for some, tags in self._tagged(texts, ends):
            for row, text in enumerate(some):
                found[text] = [TAGS[tag] for tag in tags[row, : ends[text] + 1]]
        return found

    def _tagged(
        self, texts: Sequence[tuple[str, ...]], ends: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Some of the texts at a time, by number, and their tags up to where each ends."""
        order, start = np.argsort(-ends, kind="stable"), 0
        while start < len(order):
            longest = int(ends[order[start]]) + 1 + 2 * AHEAD
            some = order[start : start + max(1, CELLS // longest)]
            ids = self._ids([texts[text] for text in some])
            yield some, self._side_by_side(ids, ends[some])
            start += len(some)

    def _side_by_side(self, ids: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Tags by text and place; texts come in the order of where they end, the last first."""
        shares = self._shares.table
        tags = np.full((len(ids), int(ends[0]) + 1 + AHEAD), NONE)  # two before the first
        for place in range(int(ends[0]) + 1):
            still = int(np.searchsorted(-ends, -place, side="right"))
            words, (last, before) = ids[:still], (tags[:still, place + 1], tags[:still, place])
            scores = self.history[before, last]
            scores += shares[words[:, place + 2], HERE if place else FIRST]
            scores += shares[words[:, place + 1], BEFORE_1]
            scores += shares[words[:, place], BEFORE_2]
            scores += shares[words[:, place + 3], AFTER_1]
            scores += shares[words[:, place + 4], AFTER_2]
            tags[:still, place + 2] = scores.argmax(axis=1)
        return tags[:, AHEAD:]

    def _ids(self, texts: Sequence[tuple[str, ...]]) -> NDArray[np.int64]:
        """The rows of the texts' words among the shares, nothing on both sides filled up."""
        known = self._shares.rows
        words = {word for text in texts for word in text}
        if len(known) + len(words) > MOST:
            known.clear()
        self._learn(word for word in (NOTHING, *sorted(words)) if word not in known)
        longest = max(map(len, texts))
        ids = np.full((len(texts), longest + 2 * AHEAD), known[NOTHING])
        sizes = np.array([len(text) for text in texts])
        inside = np.arange(longest) < sizes[:, None]
        flat = [known[word] for text in texts for word in text]
        ids[:, AHEAD : AHEAD + longest][inside] = flat
        return ids

    def _learn(self, words: Iterable[str]) -> None:
        """Work out the shares of new words."""
        shares = self._shares
        for word in words:
            row = shares.rows[word] = len(shares.rows)
            if row >= len(shares.table):
                shares.table = np.concatenate([shares.table, np.zeros_like(shares.table)])
            for place, names in enumerate(features(word)):
                found = [self.rows[name] for name in names if name in self.rows]
                shares.table[row, place] = self.weights[found].sum(axis=0, dtype=np.int32)


def save(path: str, model: Perceptron) -> None:
    """Write it to an `.npz`, which numpy alone can read."""
    from ...files import part

    names = np.frombuffer("\n".join(model.rows).encode(), np.uint8)
    with part(path) as file:
        np.savez_compressed(
            file, names=names, weights=model.weights, history=model.history,
            held_out=np.array([model.right, model.words]),
        )  # fmt: skip


def load(path: str) -> Perceptron:
    """Read what `save` wrote."""
    try:
        with np.load(path, allow_pickle=False) as file:
            names = file["names"].tobytes().decode().split("\n")
            weights, history, held_out = file["weights"], file["history"], file["held_out"]
    except FileNotFoundError:
        raise BadInput(path, "no such file") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, TypeError):
        raise BadInput(path, "is no tagger that hansproof saved") from None
    fits = (
        weights.shape == (len(names), len(TAGS))
        and history.shape == (NONE + 1, NONE + 1, len(TAGS))
        and (weights.dtype, history.dtype, held_out.shape) == (np.int16, np.int32, (2,))
        and 0 <= held_out[0] <= held_out[1] > 0
    )
    if not fits:
        raise BadInput(path, "is no tagger that hansproof saved, or one of another version")
    rows = {name: row for row, name in enumerate(names)}
    return Perceptron(rows, weights, history, int(held_out[0]), int(held_out[1]))
