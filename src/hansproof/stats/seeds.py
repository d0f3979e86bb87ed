"""Summaries of runs over seeds, and a test for degenerate runs.

A run is degenerate if its *training* accuracy is not significantly above chance (one-sided
binomial test, .01) or is NaN. Niven and Kao 2019 called a run degenerate below 80%, which suits
their BERT on full input and few other models: it is available as the rule `niven2019`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .binomial import binomial_sf

DegeneracyRule = Literal["chance", "niven2019"]

LEVEL = 0.01  # significance level of the test against chance
NIVEN_THRESHOLD = 0.8


@dataclass(frozen=True, slots=True)
class SeedSummary:
    """Summary statistics of the accuracies of several runs of one system."""

    n: int
    mean: float
    sd_population: float  # divided by n: what Kavumba et al. 2019 print
    sd_sample: float | None  # divided by n - 1; none for a single run
    median: float
    min: float
    max: float


def summarize_accuracies(accuracies: Sequence[float]) -> SeedSummary:
    """Return the mean, both standard deviations, median and extremes of a list of accuracies."""
    x = np.asarray(accuracies, np.float64)
    return SeedSummary(
        n=x.size,
        mean=float(x.mean()),
        sd_population=float(x.std()),
        sd_sample=float(x.std(ddof=1)) if x.size > 1 else None,
        median=float(np.median(x)),
        min=float(x.min()),
        max=float(x.max()),
    )


def is_degenerate(
    train_accuracy: float, n: int, chance: float, rule: DegeneracyRule = "chance"
) -> bool:
    """Whether a run with this accuracy on its n training items learnt nothing."""
    if math.isnan(train_accuracy):
        return True
    if rule == "niven2019":
        return train_accuracy < NIVEN_THRESHOLD
    return float(binomial_sf(round(train_accuracy * n), n, chance)) > LEVEL
