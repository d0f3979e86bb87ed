"""Least squares of what changes over how productive a cue is, and how sure the slope is.

Twice: over cues, as if they were drawn by themselves, and over pairs of models, each with a slope
of its own, as if all cues there are had been looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from ...stats import RegressionLine, fit_line, t_test_p
from ...types import Cell

if TYPE_CHECKING:
    from .cue_shares import CueSensitivity

LINE_COLUMNS = (
    "of", "slope", "low", "high", "intercept", "r", "cues", "seeds", "slope_seeds_low",
    "slope_seeds_high",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trend(RegressionLine):
    """One line, and the slopes of single models or pairs of them."""

    quantity: str
    slopes: tuple[float, ...]

    @property
    def seed_interval(self) -> tuple[float | None, float | None]:
        return t_interval(self.slopes)

    @property
    def p_over_seeds(self) -> float | None:
        """How likely the mean of the slopes is where there is no slope, by Student's t."""
        slopes = np.array(self.slopes)
        if len(slopes) < 2:
            return None
        error = float(slopes.std(ddof=1) / np.sqrt(len(slopes)))
        return t_test_p(float(slopes.mean()), error, len(slopes) - 1)

    def table_row(self) -> tuple[Cell, ...]:
        return (
            self.quantity, self.slope, self.low, self.high, self.intercept, self.r, self.n,
            len(self.slopes), *self.seed_interval,
        )  # fmt: skip


def fit_trends(cues: Sequence[CueSensitivity]) -> list[Trend]:
    """Of the readable mean, then of the printed one; of a single group its shares themselves."""
    compared = any(cue.against for cue in cues)
    quantity = "difference" if compared else "sensitivity"
    quantities: list[tuple[str, Callable[[CueSensitivity], Sequence[float | None]]]] = [
        (quantity, lambda cue: cue.paired_differences if compared else cue.trained),
        (
            f"{quantity}_all",
            lambda cue: _paired_differences_all(cue) if compared else cue.trained_all,
        ),
    ]
    trends = []
    for name, values in quantities:
        cue_heights = [(cue, _cue_height(cue, name)) for cue in cues]
        dots = [(cue.productivity, height) for cue, height in cue_heights if height is not None]
        line = fit_line(dots)
        if line is None:
            continue
        seeds = min((len(values(cue)) for cue in cues), default=0)
        points_by_seed = [
            [(cue.productivity, values(cue)[seed]) for cue in cues] for seed in range(seeds)
        ]
        seed_lines = [
            fit_line([(x, y) for x, y in points if y is not None]) for points in points_by_seed
        ]
        slopes = tuple(seed_line.slope for seed_line in seed_lines if seed_line is not None)
        trends.append(Trend(**asdict(line), quantity=name, slopes=slopes))
    return trends


def t_interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Student's 95 % interval of a mean; none of fewer than two."""
    if len(values) < 2:
        return None, None
    x = np.array(values)
    half_width = float(stdtrit(len(x) - 1, 0.975) * x.std(ddof=1) / np.sqrt(len(x)))
    return float(x.mean()) - half_width, float(x.mean()) + half_width


def _cue_height(cue: CueSensitivity, quantity: str) -> float | None:
    if quantity == "sensitivity_all":
        return sum(share or 0.0 for share in cue.trained_all) / len(cue.trained_all)
    height: float | None = getattr(cue, quantity)
    return height


def _paired_differences_all(cue: CueSensitivity) -> list[float]:
    if len(cue.trained_all) != len(cue.against_all):
        return []
    pairs = zip(cue.trained_all, cue.against_all, strict=True)
    return [
        (against_share or 0.0) - (trained_share or 0.0) for trained_share, against_share in pairs
    ]
