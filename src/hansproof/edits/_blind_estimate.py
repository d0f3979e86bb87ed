"""The accuracy of a blind model, before and after an edit against rules."""

from __future__ import annotations

from ..rules.climb import Climb
from ..stats import mean_interval
from ..types import Estimate


def estimate_blind(climb: Climb, name: str) -> Estimate:
    """Return what features of the choices alone answer, cross-validated (`run shortcuts`)."""
    low, high = mean_interval(climb.blind, climb.groups)
    value = float(climb.blind.mean())
    return Estimate(name, value, low, high, climb.blind.size, climb.chance)
