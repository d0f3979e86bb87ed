"""A least-squares line through dots, and the band that holds it with 95 % confidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

STEPS = 40  # a band is curved


def trend(x: Sequence[float], y: Sequence[float]) -> list[dict[str, float]]:
    """Points of the line from the first x to the last, each with the ends of its band.

    None where no line can be told from chance at all: fewer than three dots, or all at one x.
    """
    at, value = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if len(at) < 3 or np.ptp(at) < 1e-9:
        return []
    middle, off = at.mean(), at - at.mean()
    spread = off @ off
    slope = off @ value / spread
    left = value - value.mean() - slope * off
    noise = np.sqrt(left @ left / (len(at) - 2))
    points = np.linspace(at.min(), at.max(), STEPS + 1)
    line = value.mean() + slope * (points - middle)
    reach = stdtrit(len(at) - 2, 0.975) * noise
    reach = reach * np.sqrt(1 / len(at) + (points - middle) ** 2 / spread)
    ends = zip(points, line, line - reach, line + reach, strict=True)
    return [dict(zip(("x", "y", "low", "high"), map(float, end), strict=True)) for end in ends]
