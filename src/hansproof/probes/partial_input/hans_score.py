"""The Hans score: the share of a model's gain over guessing that it keeps without the question.

    H = (blind - chance) / (full - chance)

1: the model keeps all of its gain without the question; 0: none of it. Values are clipped to this
range. The score is defined only where the model is above chance on the full input; its interval is
a bootstrap over units of items, with blind and full accuracy drawn together. Only items that the
model answered both times count.
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
    full_index = {item.id: i for i, item in enumerate(full.items) if full.has_answered(item.id)}
    shared = [
        (i, full_index[item.id])
        for i, item in enumerate(blind.items)
        if item.id in full_index and blind.has_answered(item.id)
    ]
    if not shared:
        return UNDEFINED
    blind_rows, full_rows = (list(rows) for rows in zip(*shared, strict=True))
    guess = chance_credits([blind.items[i] for i in blind_rows])
    gained, possible = blind.scores[blind_rows] - guess, full.scores[full_rows] - guess
    if possible.sum() <= 0:
        return UNDEFINED
    units = [blind.units[i] for i in blind_rows]
    low, high = bootstrap_ratio(gained, possible, units, seed=seed)
    score = float(gained.sum() / possible.sum())
    return _cut_off(score), _cut_off(low), _cut_off(high)


def _cut_off(value: float | None) -> float | None:
    return None if value is None else min(1.0, max(0.0, value))
