"""The accuracy of a blind model, before and after an edit against rules."""

from __future__ import annotations

from ..rules.climb import Climb
from ..scoring import include_chance
from ..stats import mean_interval
from ..types import Estimate


def estimate_blind(climb: Climb, name: str, level: float) -> Estimate:
    """Return what features of the choices alone answer, cross-validated (`run shortcuts`).

    The interval includes chance if the ladder is not significant.
    """
    low, high = mean_interval(climb.blind, climb.groups)
    value = float(climb.blind.mean())
    estimate = Estimate(name, value, low, high, climb.blind.size, climb.chance)
    return estimate if climb.p <= level else include_chance(estimate)
