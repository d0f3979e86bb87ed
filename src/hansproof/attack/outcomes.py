"""What became of an item under attack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ..types import Item
from .reading import Reading

# wrong: it was wrong before, and is not attacked.  skipped: it could not be, see the reason.
State = Literal["flipped", "held", "wrong", "skipped"]


@dataclass(frozen=True, slots=True)
class Swap:
    """A word that was changed."""

    at: int  # which word of the item, fields first, then choices
    text: int  # which of its texts
    part: str
    old: str
    new: str
    cosine: float | None  # of the two words' vectors; None where one has none
    similarity: float | None  # of the texts compared for this step; None where none were


@dataclass(frozen=True, slots=True)
class Outcome:
    """One item: how it stood before, what was tried, how it stands."""

    id: str
    state: State
    before: tuple[float, ...]  # scores
    after: tuple[float, ...]  # of the attacked item if it flipped, else as before
    swaps: tuple[Swap, ...] = ()  # of one that flipped
    queries: int = 0  # items that the model was asked about
    words: int = 0  # that it has
    similarity: float | None = None  # of all its texts, before and after; of one that flipped
    reason: str = ""  # why it was skipped


def attacked(item: Item, outcome: Outcome) -> Item:
    """The item with the words that were changed, if it flipped."""
    reading = Reading.of(item)
    for swap in outcome.swaps:
        reading = reading.with_word(swap.at, swap.new)
    return reading.item


def plain(outcome: Outcome) -> dict[str, Any]:
    """For JSON."""
    return asdict(outcome)


def of_plain(found: Mapping[str, Any]) -> Outcome:
    """The way back."""
    swaps = tuple(Swap(**swap) for swap in found["swaps"])
    scores = {name: tuple(found[name]) for name in ("before", "after")}
    return Outcome(**{**found, **scores, "swaps": swaps})
