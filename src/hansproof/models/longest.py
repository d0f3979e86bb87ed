"""Picks the choice of most characters.

Longer is right where the answer was written with more care than what stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..types import Items


@dataclass(frozen=True, slots=True)
class Longest:
    """The length of a choice is its score; blanks around it do not count."""

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return the number of characters of each choice."""
        return [tuple(float(len(choice.strip())) for choice in item.choices) for item in items]
