"""What rules over cues, learnt on the other folds, get right: a blind model always at hand."""

from __future__ import annotations

from ..stats import Floats
from ..text import tokenizer
from ..training.units import units
from ..types import Items
from .ceiling import REPEATS, SUPPORT, rules_of
from .counts import count, incidence, layout

__all__ = ["REPEATS", "blind_credit"]


def blind_credit(items: Items, ngram: int, folds: int, seed: int) -> Floats:
    """The expected correctness of every item; 1 only if right in every repeat."""
    where = layout(items)
    found = incidence(count(items, tokenizer("word"), ngram, where), where, SUPPORT)
    return rules_of(units(items), found, where, folds, seed).score(found.hit, listed=True)
