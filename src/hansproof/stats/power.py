"""Power: the probability that a test sees an effect of a given size, and the items that it needs.

The effect is a shortcut that lifts accuracy over all items from `chance` to `chance + lift`. Five
points need about 780 items with two choices and 610 with four, if one test is made.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtri, chndtr, ndtr, ndtri

from .binomial import Floats, binomial_p, binomial_sf

ENOUGH_POWER = 0.8
"""The power below which finding nothing means nothing."""
MAX_ITEMS = 10_000_000


def binomial_power(n: ArrayLike, chance: float, lift: float, level: float = 0.05) -> Floats:
    """Return the probability that the exact two-sided binomial test rejects above chance."""
    size = np.asarray(n, np.float64)
    return binomial_sf(_critical_hits(size, chance, level), size, min(1.0, chance + lift))


def _critical_hits(size: Floats, chance: float, level: float) -> Floats:
    """Return the fewest hits above chance that are significant; size + 1 if none are."""
    low, high = np.floor(size * chance) + 1, size + 1
    while np.any(low < high):  # p decreases with the hits
        middle = np.floor((low + high) / 2)
        is_significant = binomial_p(np.minimum(middle, size), size, chance) <= level
        is_significant |= middle > size
        low, high = (
            np.where(is_significant, low, middle + 1),
            np.where(is_significant, middle, high),
        )
    return low


def chi2_power(noncentrality: ArrayLike, df: int, level: float = 0.05) -> Floats:
    """Return the power of a chi-squared test, given the noncentrality of the effect."""
    return np.asarray(1 - chndtr(chdtri(df, level), df, np.asarray(noncentrality, np.float64)))


def normal_power(effect: float, sd: float, level: float = 0.05) -> float:
    """Return the power of a two-sided z-test for an effect with a standard deviation."""
    if sd <= 0:
        return 1.0
    return float(ndtr(effect / sd - ndtri(1 - level / 2)))


def coverage_power(n: ArrayLike, coverage: float, min_items: int) -> Floats:
    """Return the probability that what applies to a share of all items applies to `min_items`."""
    return binomial_sf(min_items, n, coverage)


def items_needed(power: Callable[[Floats], Floats], enough: float = ENOUGH_POWER) -> int | None:
    """Return the fewest items with which a test has enough power; None if no number does.

    `power` maps numbers of items to powers.
    """
    high = 1
    while float(power(np.array([high], np.float64))[0]) < enough:
        high *= 2
        if high > MAX_ITEMS:
            return None
    # exact powers go up and down by a little, so that bisection could miss the first
    candidates = np.arange(high // 2 + 1, high + 1, max(1, high // 2000))
    has_power = np.asarray(power(candidates.astype(np.float64))) >= enough
    fewest: int = int(candidates[has_power.argmax()]) if has_power.any() else high
    return fewest


def round_up(n: int) -> int:
    """Round a number of items up to two digits, as estimates of it are not more exact."""
    digit: int = 10 ** max(0, len(str(n)) - 2)
    return -(-n // digit) * digit
