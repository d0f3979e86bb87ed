"""The probability that a rule worth the margin is found in one half and confirmed in the other."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from ...rules.climb import Climb
from ...rules.search import MAX_RULES, MIN_STRENGTH
from ...stats import Floats, items_needed
from .._power import SplitPower


def compute_power(part: str, climb: Climb, margin: float, level: float) -> SplitPower:
    """Compute the power for a single feature that lifts accuracy over all items by the margin."""
    largest_rung = max((rung.n_features for rung in climb.rungs), default=1)
    chance = climb.chance

    def power_at(n: Floats) -> Floats:
        effect = margin * np.sqrt(n / 2) / np.sqrt(chance * (1 - chance))
        found = ndtr(effect - np.sqrt(2 * np.log(max(largest_rung, 2)) + MIN_STRENGTH))
        confirmed = ndtr(effect - ndtri(1 - level / (2 * MAX_RULES)))
        return np.asarray(1 - (1 - found * confirmed) ** 2)

    n = len(climb.items)
    power = float(power_at(np.array([n], np.float64))[0])
    return SplitPower(part, n, power, items_needed(power_at))
