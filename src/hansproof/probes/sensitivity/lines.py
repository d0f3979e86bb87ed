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

from ...stats import Line, least_squares, student
from ...types import Cell

if TYPE_CHECKING:
    from .cues import Cue

LINE = (
    "of", "slope", "low", "high", "intercept", "r", "cues", "seeds", "slope_seeds_low",
    "slope_seeds_high",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trend(Line):
    """One line, and the slopes of single models or pairs of them."""

    of: str
    slopes: tuple[float, ...]

    @property
    def over_seeds(self) -> tuple[float | None, float | None]:
        return interval(self.slopes)

    @property
    def p_over_seeds(self) -> float | None:
        """How likely the mean of the slopes is where there is no slope, by Student's t."""
        slopes = np.array(self.slopes)
        if len(slopes) < 2:
            return None
        error = float(slopes.std(ddof=1) / np.sqrt(len(slopes)))
        return student(float(slopes.mean()), error, len(slopes) - 1)

    def row(self) -> tuple[Cell, ...]:
        return (
            self.of, self.slope, self.low, self.high, self.intercept, self.r, self.n,
            len(self.slopes), *self.over_seeds,
        )  # fmt: skip


def lines(cues: Sequence[Cue]) -> list[Trend]:
    """Of the readable mean, then of the printed one; of a single group its shares themselves."""
    compared = any(cue.against for cue in cues)
    of = "difference" if compared else "sensitivity"
    ways: list[tuple[str, Callable[[Cue], Sequence[float | None]]]] = [
        (of, lambda cue: cue.pairs if compared else cue.trained),
        (f"{of}_all", lambda cue: _pairs_all(cue) if compared else cue.trained_all),
    ]
    found = []
    for name, values in ways:
        whole = [(cue, _height(cue, name)) for cue in cues]
        dots = [(cue.productivity, height) for cue, height in whole if height is not None]
        line = least_squares(dots)
        if line is None:
            continue
        seeds = min((len(values(cue)) for cue in cues), default=0)
        each = [[(cue.productivity, values(cue)[seed]) for cue in cues] for seed in range(seeds)]
        own = [least_squares([(x, y) for x, y in some if y is not None]) for some in each]
        slopes = tuple(one.slope for one in own if one is not None)
        found.append(Trend(**asdict(line), of=name, slopes=slopes))
    return found


def interval(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Student's 95 % interval of a mean; none of fewer than two."""
    if len(values) < 2:
        return None, None
    x = np.array(values)
    reach = float(stdtrit(len(x) - 1, 0.975) * x.std(ddof=1) / np.sqrt(len(x)))
    return float(x.mean()) - reach, float(x.mean()) + reach


def _height(cue: Cue, of: str) -> float | None:
    if of == "sensitivity_all":
        return sum(one or 0.0 for one in cue.trained_all) / len(cue.trained_all)
    height: float | None = getattr(cue, of)
    return height


def _pairs_all(cue: Cue) -> list[float]:
    if len(cue.trained_all) != len(cue.against_all):
        return []
    pairs = zip(cue.trained_all, cue.against_all, strict=True)
    return [(other or 0.0) - (one or 0.0) for one, other in pairs]
