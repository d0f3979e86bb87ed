"""The statistics of one cell of the matrix, from credits by run and item.

This needs arrays alone, so that a matrix can be computed from stored predictions as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...stats import mean_interval, p_above_chance


@dataclass(frozen=True, slots=True)
class CellStats:
    """An accuracy with its interval, and its p against guessing."""

    accuracy: float
    low: float
    high: float
    sd: float | None  # of the runs; none of a single one
    chance: float
    n: int
    seeds: int
    p: float  # one-sided


def measure_cell(
    credits: ArrayLike, groups: Sequence[str | None], guess: ArrayLike, best: int | None = None
) -> CellStats:
    """Return the statistics of credits by run and item: of the mean run, or of run `best` alone.

    `guess` is the expected credit of guessing on each item. Interval and p respect the groups.
    """
    run_credits, chance_credits = np.asarray(credits, np.float64), np.asarray(guess, np.float64)
    scores = run_credits.mean(axis=0) if best is None else run_credits[best]
    low, high = mean_interval(scores, groups)
    return CellStats(
        accuracy=float(scores.mean()),
        low=low,
        high=high,
        sd=None if len(run_credits) < 2 else round(float(run_credits.mean(axis=1).std(ddof=1)), 12),
        chance=float(chance_credits.mean()),
        n=scores.size,
        seeds=len(run_credits),
        p=p_above_chance(scores, chance_credits, groups),
    )
