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
        there = Counter(at for item in items for at in range(len(item.choices)))
        right = Counter(item.answer for item in items)
        return _Fitted(tuple(right[at] / there[at] for at in sorted(there)))


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A score by position."""

    shares: tuple[float, ...]

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """The same for every item; a position never seen in training is never right."""
        never = (0.0,) * max((len(item.choices) for item in items), default=0)
        return [(self.shares + never)[: len(item.choices)] for item in items]
