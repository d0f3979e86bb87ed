"""The probability that a feature worth the margin is found in one half and confirmed in the other.

As for words and phrases, the feature is always right, and so frequent that to know it lifts
accuracy by the margin. Weaker features that more items have are harder to find. Items of a leakage
group count once, as in the tests.
"""

from __future__ import annotations

import math

import numpy as np

from ...rules.climb import Climb
from ...rules.search import MAX_RULES, MIN_INFORMATION, MIN_STRENGTH
from ...stats import Floats, binomial_sf, group_count, items_needed
from .._power import SplitPower


def compute_power(part: str, climb: Climb, margin: float, level: float) -> SplitPower:
    """Compute the power for a single feature of the largest rung."""
    n_features = max((rung.n_features for rung in climb.rungs), default=1)
    # half of the level is for the rungs
    to_find, to_confirm = _count_hits_needed(climb.chance, n_features, level / 2)
    coverage = min(1.0, margin / (1 - climb.chance))

    def power_at(n: Floats) -> Floats:
        half = np.floor(n / 2)
        is_confirmed = np.asarray(binomial_sf(to_confirm, half, coverage))
        is_found = np.asarray(binomial_sf(max(to_find, to_confirm), half, coverage))
        return np.asarray(2 * is_found * is_confirmed - is_found**2)  # in either direction

    n, n_groups = len(climb.items), group_count(climb.groups)
    power = float(power_at(np.array([n_groups], np.float64))[0])
    needed = items_needed(power_at)
    return SplitPower(part, n, power, None if needed is None else math.ceil(needed * n / n_groups))


def _count_hits_needed(chance: float, n_features: int, level: float) -> tuple[int, int]:
    """Return how many items of a half must have the feature to be found, and to be confirmed."""
    strength = 2 * np.log(max(n_features, 2)) + MIN_STRENGTH
    odds = chance / (1 - chance)
    to_find = max(strength * odds, MIN_INFORMATION / (chance * (1 - chance)))
    to_confirm = np.log(level / (2 * MAX_RULES)) / np.log(chance)
    return int(np.ceil(to_find)), int(np.ceil(to_confirm))
