"""Bag of words: learns which words and word pairs occur in right choices.

Logistic regression on the differences between an item's choices. Where the view shows fields, the
features also include pairs of a word of a field and a word of the choice, and how many words the
two share. Needs no downloads and no torch; trains on a thousand items in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..errors import BadInput
from ..linear.solver import choice_layout, group_by_item
from ..text.detect_script import choose_tokenizer
from ..text.tokenizers import get_tokenizer
from ..types import FitInfo, Items

if TYPE_CHECKING:
    from ..linear.features import FeatureBags
    from ..linear.ranker import RankerWeights


@dataclass(frozen=True, slots=True)
class Bow:
    """An untrained linear ranker over words and pairs of words."""

    selects: ClassVar[bool] = False

    ngram: int = 2  # 1: single words, 2: also pairs of adjacent words
    penalty: float = 3.0  # L2 penalty on the weights
    least: int = 2  # smallest number of training items that contain a feature
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp

    def __post_init__(self) -> None:
        if self.ngram not in (1, 2):
            raise BadInput("bow:ngram", f"is {self.ngram}, must be 1 or 2")
        if not self.penalty >= 1e-6:
            raise BadInput("bow:penalty", f"is {self.penalty}, must be at least 1e-06")

    def fit(self, items: Items, select: Items, seed: int) -> FittedBow:
        """Learn the weights of features; `select` is not used."""
        from ..linear.ranker import train_ranker

        item_bags = self.extract_bags(items)
        answers = choice_layout(items)[1].astype(np.int16)[:, None]
        training_mask = np.ones(answers.shape, np.bool_)
        weights = train_ranker(item_bags, answers, training_mask, self.penalty, seed)
        return FittedBow(item_bags, weights, choose_tokenizer(self.tokenizer, items).name)

    def extract_bags(self, items: Items, max_paired: int | None = None) -> FeatureBags:
        """Return the features of items.

        `max_paired` limits how many words of a field are paired with words of a choice.
        """
        from ..linear.features import MAX_PAIRED_WORDS, extract_features

        return extract_features(
            items,
            choose_tokenizer(self.tokenizer, items),
            self.ngram,
            self.least,
            max_paired or MAX_PAIRED_WORDS,
        )


@dataclass(frozen=True, slots=True, eq=False)
class FittedBow:
    """Features and their weights."""

    training_bags: FeatureBags
    weights: RankerWeights
    tokenizer: str

    @property
    def fit_info(self) -> FitInfo:
        return FitInfo(tokenizer=self.tokenizer)

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return the sum of the weights of each choice's features."""
        from ..linear.features import extract_features
        from ..linear.ranker import score_choices

        ngram = 2  # pairs that were not learnt are ignored
        item_bags = extract_features(
            items, get_tokenizer(self.tokenizer), ngram, reference=self.training_bags
        )
        return group_by_item(items, score_choices(item_bags, self.weights)[:, 0])
