"""The probability that a feature worth the margin is found in one half and confirmed in the other.

As for words and phrases, the feature is always right, and so frequent that to know it lifts
accuracy by the margin. Weaker features that more items have are harder to find.
"""

from __future__ import annotations

import numpy as np

from ...rules.climb import Climb
from ...rules.search import MAX_RULES, MIN_INFORMATION, MIN_STRENGTH
from ...stats import Floats, binomial_sf, items_needed
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

    n = len(climb.items)
    power = float(power_at(np.array([n], np.float64))[0])
    return SplitPower(part, n, power, items_needed(power_at))


def _count_hits_needed(chance: float, n_features: int, level: float) -> tuple[int, int]:
    """Return how many items of a half must have the feature to be found, and to be confirmed."""
    strength = 2 * np.log(max(n_features, 2)) + MIN_STRENGTH
    odds = chance / (1 - chance)
    to_find = max(strength * odds, MIN_INFORMATION / (chance * (1 - chance)))
    to_confirm = np.log(level / (2 * MAX_RULES)) / np.log(chance)
    return int(np.ceil(to_find)), int(np.ceil(to_confirm))
