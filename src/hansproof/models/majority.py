"""Picks the position that was right most often in training.

It reads no text, so views make no difference to it. It is the only model for which the position of
a choice matters: an accuracy above chance shows that answers are not evenly placed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from ..types import Items, Model


@dataclass(frozen=True, slots=True)
class Majority:
    """Counts the positions of the answers."""

    selects: ClassVar[bool] = False

    def fit(self, items: Items, select: Items, seed: int) -> Model:
        """Count how often each position is right, among the items that have it."""
        n_offered = Counter(position for item in items for position in range(len(item.choices)))
        n_right = Counter(item.answer for item in items)
        return _FittedMajority(
            tuple(n_right[position] / n_offered[position] for position in sorted(n_offered))
        )


@dataclass(frozen=True, slots=True)
class _FittedMajority:
    """A score for each position."""

    position_shares: tuple[float, ...]

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return the same scores for every item; 0 for positions not seen in training."""
        padding = (0.0,) * max((len(item.choices) for item in items), default=0)
        return [(self.position_shares + padding)[: len(item.choices)] for item in items]
