"""Guesses: gives every choice the same score.

The baseline of every table; ties get their expected credit, so it scores 1/m on each item.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..types import Items


@dataclass(frozen=True, slots=True)
class Chance:
    """The same score for every choice."""

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return zeros."""
        return [(0.0,) * len(item.choices) for item in items]
