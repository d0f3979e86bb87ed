"""Simple linear regression by least squares, with confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]
MIN_POINTS = 3  # two points always fit exactly
MIN_RANGE = 1e-12  # x-values within this range count as equal


@dataclass(frozen=True, slots=True)
class RegressionLine:
    """y = intercept + slope * x, with Student's 95% interval of the slope."""

    slope: float
    low: float
    high: float
    p: float  # of the slope, against 0
    intercept: float
    r: float | None  # None where all y-values are equal
    n: int
    x_mean: float  # mean of the x-values
    x_sum_of_squares: float  # sum of squared deviations from that mean
    residual_sd: float  # standard deviation of the residuals

    def confidence_band(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the line at each x, and the lower and upper end of its 95% confidence band."""
        line = self.intercept + self.slope * x
        error = self.residual_sd * np.sqrt(
            1 / self.n + (x - self.x_mean) ** 2 / self.x_sum_of_squares
        )
        margin = stdtrit(self.n - 2, 0.975) * error
        return line, line - margin, line + margin


def fit_line(points: Sequence[tuple[float, float]]) -> RegressionLine | None:
    """Fit a line to points (x, y); None if there are too few, or all have the same x."""
    x, y = np.array(points, np.float64).reshape(-1, 2).T
    if len(points) < MIN_POINTS or np.ptp(x) < MIN_RANGE:
        return None
    dx, dy = x - x.mean(), y - y.mean()
    sum_of_squares, dof = float(dx @ dx), len(points) - 2
    slope = float(dx @ dy) / sum_of_squares
    residuals = dy - slope * dx
    residual_sd = float(np.sqrt(residuals @ residuals / dof))
    error = residual_sd / float(np.sqrt(sum_of_squares))
    margin = float(stdtrit(dof, 0.975)) * error
    y_norm = float(np.sqrt(dy @ dy))
    return RegressionLine(
        slope=slope,
        low=slope - margin,
        high=slope + margin,
        p=t_test_p(slope, error, dof),
        intercept=float(y.mean()) - slope * float(x.mean()),
        r=float(dx @ dy / (np.sqrt(sum_of_squares) * y_norm)) if y_norm > 0 else None,
        n=len(points),
        x_mean=float(x.mean()),
        x_sum_of_squares=sum_of_squares,
        residual_sd=residual_sd,
    )


def t_test_p(value: float, error: float, dof: int) -> float:
    """Return the two-sided p of an estimate and its standard error by Student's t-test."""
    if error == 0:
        return 1.0 if value == 0 else 0.0
    return float(2 * stdtr(dof, -abs(value / error)))
