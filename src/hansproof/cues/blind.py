"""What rules over cues, learnt on the other folds, get right: a blind model always at hand."""

from __future__ import annotations

from ..stats import Floats
from ..text.tokenizers import get_tokenizer
from ..training.leakage_groups import find_leakage_groups
from ..types import Items
from .counts import build_incidence, build_layout, count_cues
from .decision_list import MIN_SUPPORT, REPEATS, build_rules

__all__ = ["REPEATS", "blind_credit"]


def blind_credit(items: Items, ngram: int, folds: int, seed: int) -> Floats:
    """The expected correctness of every item; 1 only if right in every repeat."""
    layout = build_layout(items)
    incidence = build_incidence(
        count_cues(items, get_tokenizer("word"), ngram, layout), layout, MIN_SUPPORT
    )
    return build_rules(find_leakage_groups(items), incidence, layout, folds, seed).score(
        incidence.hit, as_list=True
    )
