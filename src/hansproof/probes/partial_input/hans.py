"""The Hans score: how much of what a model gains over guessing needs no question.

    H = (blind - chance) / (full - chance)

1: all of it is there without the question; 0: none. Defined only where the model is above chance on
the full input; its interval is a bootstrap over units of items, blind and full drawn together.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...stats import bootstrap_ratio
from ...types import Cell
from .outcome import Outcome

Hans = tuple[Cell, Cell, Cell]  # the score and the ends of its interval
UNDEFINED: Hans = (None, None, None)


def partner(blind: Outcome, outcomes: Iterable[Outcome], level: float) -> Outcome | None:
    """The same model on the full input of the same part, if it is above chance there."""
    for full in outcomes:
        same = (full.part, full.model, full.protocol) == (blind.part, blind.model, blind.protocol)
        known = full.p is not None and full.p <= level and full.accuracy > full.chance
        if same and known and not full.is_blind:
            return full
    return None


def hans(blind: Outcome, full: Outcome | None, seed: int) -> Hans:
    """The score of a blind view, given what the same model does with the full one."""
    if full is None or not blind.is_blind or blind.is_fixed:
        return UNDEFINED
    guess = np.array([1 / len(item.choices) for item in blind.items])
    gained, possible = blind.scores - guess, full.scores - guess
    low, high = bootstrap_ratio(gained, possible, blind.units, seed=seed)
    return float(gained.sum() / possible.sum()), low, high
