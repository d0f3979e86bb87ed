"""A line through dots by least squares, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]
FEWEST = 3  # dots: any two make a line
SAME = 1e-12  # dots that are not farther apart are at one place


@dataclass(frozen=True, slots=True)
class Line:
    """y = intercept + slope * x, with Student's 95 % interval of the slope."""

    slope: float
    low: float
    high: float
    p: float  # of the slope, against none
    intercept: float
    r: float | None  # None where all dots are at one height
    n: int
    middle: float  # of the dots' x
    spread: float  # sum of squares around it
    noise: float  # sd around the line

    def band(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """At some x the line, and the ends of what holds it with 95 % confidence."""
        line = self.intercept + self.slope * x
        error = self.noise * np.sqrt(1 / self.n + (x - self.middle) ** 2 / self.spread)
        reach = stdtrit(self.n - 2, 0.975) * error
        return line, line - reach, line + reach


def least_squares(dots: Sequence[tuple[float, float]]) -> Line | None:
    """The line through dots; None where there are too few, or all are at one place."""
    x, y = np.array(dots, np.float64).reshape(-1, 2).T
    if len(dots) < FEWEST or np.ptp(x) < SAME:
        return None
    off, up = x - x.mean(), y - y.mean()
    spread, free = float(off @ off), len(dots) - 2
    slope = float(off @ up) / spread
    left = up - slope * off
    noise = float(np.sqrt(left @ left / free))
    error = noise / float(np.sqrt(spread))
    reach = float(stdtrit(free, 0.975)) * error
    height = float(np.sqrt(up @ up))
    return Line(
        slope=slope,
        low=slope - reach,
        high=slope + reach,
        p=student(slope, error, free),
        intercept=float(y.mean()) - slope * float(x.mean()),
        r=float(off @ up / (np.sqrt(spread) * height)) if height > 0 else None,
        n=len(dots),
        middle=float(x.mean()),
        spread=spread,
        noise=noise,
    )


def student(value: float, error: float, free: int) -> float:
    """How likely so large a value is where there is none, by Student's t, two-sided."""
    if error == 0:
        return 1.0 if value == 0 else 0.0
    return float(2 * stdtr(free, -abs(value / error)))
