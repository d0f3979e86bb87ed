"""The Hans score: how much of what a model gains over guessing needs no question.

    H = (blind - chance) / (full - chance)

1: all of it is there without the question; 0: none. Defined only where the model is above chance on
the full input; its interval is a bootstrap over units of items, blind and full drawn together.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...scoring import chance_credits
from ...stats import bootstrap_ratio
from .view_result import UNDEFINED, HansInterval, ViewResult


def full_result(
    blind: ViewResult, results: Iterable[ViewResult], level: float
) -> ViewResult | None:
    """Return the same model's result on the full input of the same part, if above chance."""
    for full in results:
        same_model = (full.part_name, full.model, full.protocol) == (
            blind.part_name,
            blind.model,
            blind.protocol,
        )
        above_chance = full.p is not None and full.p <= level and full.accuracy > full.chance
        if same_model and above_chance and not full.is_blind:
            return full
    return None


def hans_score(blind: ViewResult, full: ViewResult | None, seed: int) -> HansInterval:
    """Return the Hans score of a blind view, given the same model's result on the full view."""
    if full is None or not blind.is_blind or blind.is_fixed:
        return UNDEFINED
    guess = chance_credits(blind.items)
    gained, possible = blind.scores - guess, full.scores - guess
    low, high = bootstrap_ratio(gained, possible, blind.units, seed=seed)
    return float(gained.sum() / possible.sum()), low, high
