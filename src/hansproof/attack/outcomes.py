"""Outcomes of attacks on items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ..types import Item
from .item_words import ItemWords

# wrong: wrong before the attack, so not attacked.  skipped: could not be attacked, see `reason`.
AttackState = Literal["flipped", "held", "wrong", "skipped"]


@dataclass(frozen=True, slots=True)
class WordSwap:
    """A replaced word."""

    position: int  # index of the word in the item, fields first, then choices
    text_index: int  # index of its text in the item
    part: str
    old: str
    new: str
    cosine: float | None  # of the two words' vectors; None if one has no vector
    similarity: float | None  # of the texts before and after this step; None if not compared


@dataclass(frozen=True, slots=True)
class AttackOutcome:
    """The outcome of the attack on one item."""

    id: str
    state: AttackState
    before: tuple[float, ...]  # scores
    after: tuple[float, ...]  # of the attacked item if it flipped, else as before
    swaps: tuple[WordSwap, ...] = ()  # if it flipped
    queries: int = 0  # items that the model scored
    words: int = 0  # words of the item
    similarity: float | None = None  # of all texts, before and after, if it flipped
    reason: str = ""  # why it was skipped


def apply_swaps(item: Item, outcome: AttackOutcome) -> Item:
    """Return the attacked item: with its words replaced if it flipped, else unchanged."""
    words = ItemWords.from_item(item)
    for swap in outcome.swaps:
        words = words.replace_word(swap.position, swap.new)
    return words.item


def outcome_to_json(outcome: AttackOutcome) -> dict[str, Any]:
    """Convert an outcome to values that JSON can represent."""
    return asdict(outcome)


def outcome_from_json(values: Mapping[str, Any]) -> AttackOutcome:
    """Convert the values of `outcome_to_json` back to an outcome."""
    swaps = tuple(WordSwap(**swap) for swap in values["swaps"])
    scores = {name: tuple(values[name]) for name in ("before", "after")}
    return AttackOutcome(**{**values, **scores, "swaps": swaps})
