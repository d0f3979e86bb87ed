"""Picks the position that was right most often in training.

It reads no text, so views make no difference to it. It is the one model to which the position of
a choice means something: what it earns beyond chance tells that answers are not evenly placed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from ..types import Items, Model


@dataclass(frozen=True, slots=True)
class Majority:
    """Counts where the answers stand."""

    selects: ClassVar[bool] = False

    def fit(self, items: Items, select: Items, seed: int) -> Model:
        """How often each position is right, among the items that have it."""
        n_offered = Counter(position for item in items for position in range(len(item.choices)))
        n_right = Counter(item.answer for item in items)
        return _FittedMajority(
            tuple(n_right[position] / n_offered[position] for position in sorted(n_offered))
        )


@dataclass(frozen=True, slots=True)
class _FittedMajority:
    """A score by position."""

    position_shares: tuple[float, ...]

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """The same for every item; a position never seen in training is never right."""
        padding = (0.0,) * max((len(item.choices) for item in items), default=0)
        return [(self.position_shares + padding)[: len(item.choices)] for item in items]
