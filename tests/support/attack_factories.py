"""A small language: words in families, a tagger, an encoder and a model that know no others."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansproof.attack import AttackResources, AttackRules
from hansproof.attack.rules import Candidates
from hansproof.edits.textfooler import Textfooler
from hansproof.sweeps import TrainedModel
from hansproof.types import Item, Items
from hansproof.vectors import save_vectors

# words of a family are near each other; the last letter is the part of speech
FAMILIES = (("red1", "ruby1", "rose2"), ("dog1", "hound1", "cur1", "bark3"), ("run3", "jog3"))
OTHERS = ("the", "of", "tree1", "sky1", "fall3")  # the first two are stop words
WORDS = (*(word for family in FAMILIES for word in family), *OTHERS)


def number(word: str, seed: int = 0) -> float:
    """The same for a word, any other for another."""
    return zlib.crc32(f"{seed} {word.lower()}".encode()) / 2**31 - 1


@dataclass(frozen=True)
class Families:
    """Words of one family, the nearest first."""

    def find_candidates(self, words: Iterable[str]) -> Mapping[str, Candidates]:
        return {
            word: [(other, cosine(word, other)) for other in family if other != word]
            for word in words
            for family in FAMILIES
            if word in family
        }

    def source_files(self) -> tuple[str, ...]:
        return ()


def cosine(one: str, other: str) -> float:
    return 0.5 + abs(number(f"{min(one, other)} {max(one, other)}")) / 2


@dataclass(frozen=True)
class ByLastLetter:
    """NOUN, VERB or ADJ; all of the same in a text that begins with `sky1`."""

    name: str = "by last letter"

    def tag_words(self, texts: Sequence[tuple[str, ...]], positions: Sequence[int]) -> list[str]:
        kinds = {"1": "NOUN", "2": "ADJ", "3": "VERB"}
        return [
            "X" if words[0] == "sky1" else kinds.get(words[place][-1:], "X")
            for words, place in zip(texts, positions, strict=True)
        ]


@dataclass(frozen=True)
class Bag:
    """The mean of numbers drawn for words, and of one for the whole text."""

    name: str = "bag"
    fingerprint: str = "bag"

    def unit_vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [self._row(text) for text in texts]
        return np.array(rows, np.float32)

    def _row(self, text: str) -> NDArray[np.float64]:
        words = text.lower().replace("?", "").split() or [""]
        row = np.mean([[number(word, seed) + 0.5 for seed in range(6)] for word in words], axis=0)
        return np.asarray(row / np.linalg.norm(row))


@dataclass(frozen=True)
class Weighing:
    """A choice is worth its words, and what the question's words make of them."""

    seed: int = 0

    def score(self, items: Items) -> list[tuple[float, ...]]:
        return [tuple(self._worth(item, choice) for choice in item.choices) for item in items]

    def _worth(self, item: Item, choice: str) -> float:
        asked = sum(
            number(word, self.seed) for text in item.fields.values() for word in text.split()
        )
        return sum(number(word, self.seed + 1) * (1 + asked) for word in choice.split())


def near_vectors(folder: Path, words: tuple[str, ...] = WORDS) -> str:
    """Save word vectors that are all near each other and all different."""
    path = str(folder / "near.npz")
    save_vectors(path, words, (np.eye(len(words)) + 3).astype(np.float32))
    return path


def make_textfooler(folder: Path, **flags: Any) -> Textfooler:
    """An edit that compares no sentences and tags no words unless flags say so."""
    usual = {"encoder": "none", "sentence": 0, "tagger": "none", "journal": str(folder / "journal")}
    return Textfooler(vectors=near_vectors(folder), **{**usual, **flags})


MODEL = TrainedModel("weighing", Weighing(), "0")
RESOURCES = AttackResources(Families(), ByLastLetter(), Bag())  # type: ignore[arg-type]
STOP_WORDS = frozenset({"the", "of"})
LOOSE_RULES = AttackRules(word_cosine=0.5, min_similarity=0.6, stop_words=STOP_WORDS)


def item(id: str, words: Sequence[str], choices: int = 2, answer: int = 0) -> Item:
    """Words dealt to a question and its choices."""
    parts = np.array_split(np.array(words, dtype=object), choices + 1)
    texts = [" ".join(part) for part in parts]
    return Item(id, {"q": texts[0] + "?"}, tuple(texts[1:]), answer, meta={"note": "kept"})


def some(count: int, seed: int = 0, choices: int = 2) -> Items:
    """Items of random words."""
    rng = np.random.default_rng(seed)
    made = []
    for at in range(count):
        words = [WORDS[k] for k in rng.integers(len(WORDS), size=int(rng.integers(3, 24)))]
        made.append(item(f"i{at}", words, choices, int(rng.integers(choices))))
    return tuple(made)
