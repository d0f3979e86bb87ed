"""What became of an item under attack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ..types import Item
from .item_words import ItemWords

# wrong: it was wrong before, and is not attacked.  skipped: it could not be, see the reason.
AttackState = Literal["flipped", "held", "wrong", "skipped"]


@dataclass(frozen=True, slots=True)
class WordSwap:
    """A word that was changed."""

    position: int  # which word of the item, fields first, then choices
    text_index: int  # which of its texts
    part: str
    old: str
    new: str
    cosine: float | None  # of the two words' vectors; None where one has none
    similarity: float | None  # of the texts compared for this step; None where none were


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """One item: how it stood before, what was tried, how it stands."""

    id: str
    state: AttackState
    before: tuple[float, ...]  # scores
    after: tuple[float, ...]  # of the attacked item if it flipped, else as before
    swaps: tuple[WordSwap, ...] = ()  # of one that flipped
    queries: int = 0  # items that the model was asked about
    words: int = 0  # that it has
    similarity: float | None = None  # of all its texts, before and after; of one that flipped
    reason: str = ""  # why it was skipped


def apply_swaps(item: Item, outcome: AttackOutcome) -> Item:
    """The item with the words that were changed, if it flipped."""
    words = ItemWords.from_item(item)
    for swap in outcome.swaps:
        words = words.replace_word(swap.position, swap.new)
    return words.item


def outcome_to_json(outcome: AttackOutcome) -> dict[str, Any]:
    """For JSON."""
    return asdict(outcome)


def outcome_from_json(values: Mapping[str, Any]) -> AttackOutcome:
    """The way back."""
    swaps = tuple(WordSwap(**swap) for swap in values["swaps"])
    scores = {name: tuple(values[name]) for name in ("before", "after")}
    return AttackOutcome(**{**values, **scores, "swaps": swaps})
