"""Regression of the change in sensitivity on the productivity of cues.

The slope has two intervals: over cues, as if cues were a random sample, and over pairs of models,
each with its own slope, as if the cues were the whole population.
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
# what a line may be fitted to: columns of the table of cues
DIFFERENCE, SENSITIVITY = "difference", "sensitivity"

Values = Sequence[float | None]  # one for each model, or pair of models


@dataclass(frozen=True, slots=True)
class Trend(RegressionLine):
    """A regression line, and the slopes of single models or pairs of models."""

    quantity: str
    slopes: tuple[float, ...]

    @property
    def seed_interval(self) -> tuple[float | None, float | None]:
        return t_interval(self.slopes)

    @property
    def p_over_seeds(self) -> float | None:
        """The p of the mean slope over models, by Student's t; None for a single model."""
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
    """Fit lines to the differences of two groups of models, or to the shares of a single group.

    Twice: of the mean over items with the cue, then over all items, as the paper prints it.
    """
    if any(cue.against for cue in cues):
        trends = [
            _fit_trend(cues, DIFFERENCE, lambda cue: cue.difference, _paired_differences),
            _fit_trend(
                cues, f"{DIFFERENCE}_all", lambda cue: cue.difference_all, _paired_differences_all
            ),
        ]
    else:
        trends = [
            _fit_trend(cues, SENSITIVITY, lambda cue: cue.sensitivity, lambda cue: cue.trained),
            _fit_trend(cues, f"{SENSITIVITY}_all", _mean_share_all, lambda cue: cue.trained_all),
        ]
    return [trend for trend in trends if trend is not None]


def _fit_trend(
    cues: Sequence[CueSensitivity],
    quantity: str,
    height: Callable[[CueSensitivity], float | None],
    seed_heights: Callable[[CueSensitivity], Values],
) -> Trend | None:
    """Fit one line over all models, and one for each seed; None where there are too few cues."""
    line = fit_line([(cue.productivity, y) for cue in cues if (y := height(cue)) is not None])
    if line is None:
        return None
    n_seeds = min((len(seed_heights(cue)) for cue in cues), default=0)
    points_by_seed = [
        [(cue.productivity, seed_heights(cue)[seed]) for cue in cues] for seed in range(n_seeds)
    ]
    seed_lines = [
        fit_line([(x, y) for x, y in points if y is not None]) for points in points_by_seed
    ]
    slopes = tuple(seed_line.slope for seed_line in seed_lines if seed_line is not None)
    return Trend(**asdict(line), quantity=quantity, slopes=slopes)


def t_interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Return Student's 95% interval of a mean; None for fewer than two values."""
    if len(values) < 2:
        return None, None
    x = np.array(values)
    half_width = float(stdtrit(len(x) - 1, 0.975) * x.std(ddof=1) / np.sqrt(len(x)))
    return float(x.mean()) - half_width, float(x.mean()) + half_width


def _mean_share_all(cue: CueSensitivity) -> float:
    return sum(share or 0.0 for share in cue.trained_all) / len(cue.trained_all)


def _paired_differences(cue: CueSensitivity) -> Values:
    return cue.paired_differences


def _paired_differences_all(cue: CueSensitivity) -> list[float]:
    if len(cue.trained_all) != len(cue.against_all):
        return []
    pairs = zip(cue.trained_all, cue.against_all, strict=True)
    return [
        (against_share or 0.0) - (trained_share or 0.0) for trained_share, against_share in pairs
    ]
