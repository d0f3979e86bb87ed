"""Which counts of right items a printed share can stand for."""

from __future__ import annotations

import math

import numpy as np

from ..stats import between_items


def counts(percent: float, n: int, digits: int = 1) -> list[int]:
    """All k for which 100 k / n rounds to what is printed."""
    slack = 0.5 * 10.0**-digits + 1e-9
    low, high = (n * (percent + sign * slack) / 100 for sign in (-1, 1))
    return [k for k in range(math.ceil(low), math.floor(high) + 1) if 0 <= k <= n]


def dealt(first: int, n_first: int, second: int, n_second: int) -> tuple[float, float]:
    """p, in per cent, that so many right in two sets come of chance: two-sided, one-sided."""
    one, other = (
        np.repeat([1.0, 0.0], [right, n - right])
        for right, n in ((first, n_first), (second, n_second))
    )
    both = (between_items(one, other, sided="two"), between_items(one, other, sided="greater"))
    return 100 * both[0].p, 100 * both[1].p
