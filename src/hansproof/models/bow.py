"""Bag of words: which words and pairs of words stand in the choices that are right?

Logistic regression on the differences between an item's choices. Where the view shows fields, pairs
of a word there with a word of the choice are features, too, and how many words the two share. No
weights to fetch, no torch; a thousand items are learnt in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..errors import BadInput
from ..text import tokenizer
from ..types import Items
from ._linear import by_item, layout

if TYPE_CHECKING:
    from ..bags import Bags
    from ..ranking import Weights


@dataclass(frozen=True, slots=True)
class Bow:
    """A linear ranker over words and pairs of words, still to be trained."""

    selects: ClassVar[bool] = False

    ngram: int = 2  # 1: single words, 2: also pairs of neighbours
    penalty: float = 3.0  # on the square of the weights
    least: int = 2  # training items a feature must stand in
    tokenizer: str = "word"  # word, nltk or whitespace

    def __post_init__(self) -> None:
        if self.ngram not in (1, 2):
            raise BadInput("bow:ngram", f"is {self.ngram}, must be 1 or 2")
        if not self.penalty >= 1e-6:
            raise BadInput("bow:penalty", f"is {self.penalty}, must be at least 1e-06")

    def fit(self, items: Items, select: Items, seed: int) -> Ranker:
        """Learn the weights of features; `select` is not looked at."""
        from ..ranking import train

        found = self.bags(items)
        answers = layout(items)[1].astype(np.int16)[:, None]
        taught = np.ones(answers.shape, np.bool_)
        weights = train(found, answers, taught, self.penalty, seed)
        return Ranker(found, weights, tokenizer(self.tokenizer).name)

    def bags(self, items: Items, paired: int | None = None) -> Bags:
        """The features of items; `paired`: how many words of a field are paired with choices."""
        from ..bags import LONG, bags

        return bags(items, tokenizer(self.tokenizer), self.ngram, self.least, paired or LONG)


@dataclass(frozen=True, slots=True, eq=False)
class Ranker:
    """Features with their weights."""

    known: Bags
    weights: Weights
    tokenizer: str

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """The sum of the weights of each choice's features."""
        from ..bags import bags
        from ..ranking import score

        ngram = 2  # pairs that were not learnt are not known
        found = bags(items, tokenizer(self.tokenizer), ngram, known=self.known)
        return by_item(items, score(found, self.weights)[:, 0])
