"""Picks the longest choice, in characters.

The longest choice is often right where the answer was written with more care than the others.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..types import Items


@dataclass(frozen=True, slots=True)
class Longest:
    """Scores a choice by its length, without surrounding spaces."""

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return the number of characters of each choice."""
        return [tuple(float(len(choice.strip())) for choice in item.choices) for item in items]
