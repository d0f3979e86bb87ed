"""The features of all rungs side by side, and those that rules may join, as a dense matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..cues.counts import ChoiceLayout
from .features import MIN_JOINED_ITEMS, FeatureBlock, Ints, Mask

Matrix = NDArray[np.float32]
FeatureLabel = tuple[str, str]

MAX_JOINED = {"typography": 80, "words": 200, "pairs": 40, "patterns": 100, "word classes": 60}
MAX_JOINED_OTHERS = 24  # of the other rungs
SHARED_VALUE = 0.5  # of an item in which all choices have a feature, against one of the others
NOT_JOINED = ("encoder",)  # nobody could read such a rule


@dataclass(frozen=True)
class FeatureColumns:
    """The features of all blocks, numbered through."""

    blocks: tuple[FeatureBlock, ...]
    layout: ChoiceLayout

    @cached_property
    def offsets(self) -> Ints:
        """The number of each block's first feature."""
        return np.cumsum([0, *(block.size for block in self.blocks)])

    @cached_property
    def feature(self) -> Ints:
        """The feature of each row; rows of a block are sorted by choice."""
        parts = [b.feature + start for b, start in zip(self.blocks, self.offsets[:-1], strict=True)]
        return np.concatenate([np.zeros(0, np.int64), *parts])

    @cached_property
    def choice(self) -> Ints:
        """The choice of each row."""
        return np.concatenate([np.zeros(0, np.int64), *(b.choice for b in self.blocks)])

    @cached_property
    def joined_features(self) -> Ints:
        """The features that rules may join: of each rung those that tell most choices apart."""
        parts = []
        for block, start in zip(self.blocks, self.offsets[:-1], strict=True):
            limit = MAX_JOINED.get(block.rung, MAX_JOINED_OTHERS)
            use = block.n_items + SHARED_VALUE * block.n_shared
            best = np.argsort(-use, kind="stable")[: 0 if block.rung in NOT_JOINED else limit]
            is_frequent = (block.n_items + block.n_shared)[best] >= MIN_JOINED_ITEMS
            parts.append(start + np.sort(best[is_frequent]))
        return np.concatenate([np.zeros(0, np.int64), *parts])

    @cached_property
    def matrix(self) -> Matrix:
        """The joined features by choice, 0 or 1."""
        number = np.full(int(self.offsets[-1]), -1)
        number[self.joined_features] = np.arange(self.joined_features.size)
        matrix = np.zeros((self.layout.item.size, self.joined_features.size), np.float32)
        for block, start in zip(self.blocks, self.offsets[:-1], strict=True):
            for feature, choice in (
                (block.feature, block.choice), (block.shared_feature, block.shared_choice)
            ):  # fmt: skip
                column = number[feature + start]
                matrix[choice[column >= 0], column[column >= 0]] = 1
        return matrix

    def block_of(self, feature: int) -> int:
        """Return the position of the block that has a feature."""
        return int(np.searchsorted(self.offsets, feature, side="right")) - 1

    def name(self, feature: int) -> str:
        """Return what a choice with a feature is like."""
        block = self.block_of(feature)
        return self.blocks[block].name(feature - int(self.offsets[block]))

    def label(self, feature: int) -> FeatureLabel:
        """Return the rung and the name of a feature; other items have the same label for it."""
        return self.blocks[self.block_of(feature)].rung, self.name(feature)

    @cached_property
    def number_of(self) -> dict[FeatureLabel, int]:
        """The number of each feature by its label."""
        return {self.label(feature): feature for feature in range(int(self.offsets[-1]))}

    def column(self, feature: int) -> Mask:
        """Return which choices have a feature."""
        block = self.block_of(feature)
        start = int(self.offsets[block])
        return self.blocks[block].column(feature - start, self.layout.item.size)

    def rung_of(self, features: Sequence[int]) -> str:
        """Return the rung that a rule needs: its highest; two words together are a pair."""
        rungs = [self.blocks[block].rung for block in sorted(map(self.block_of, features))]
        names = [block.rung for block in self.blocks]
        if rungs.count("words") > 1 and rungs[-1] == "words" and "pairs" in names:
            return "pairs"
        return rungs[-1]
