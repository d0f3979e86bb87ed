"""Intervals, tests and corrections: the arithmetic behind every claim, one idea per file."""

from __future__ import annotations

from .agreement import fleiss_interval, fleiss_kappa, krippendorff_alpha, majority_credit
from .binomial import Floats, binomial_p, binomial_sf, min_attainable_p, wilson_interval
from .corrections import benjamini_hochberg, holm
from .grouped_randomisation import grouped_randomisation_test
from .groups import assign_folds, group_count, group_numbers
from .intervals import bootstrap_gap, bootstrap_mean, bootstrap_ratio, mean_interval
from .lattice import to_lattice
from .mcnemar import mcnemar_test
from .randomisation import (
    RandomisationResult,
    paired_randomisation_test,
    two_sample_randomisation_test,
)
from .regression import RegressionLine, fit_line, t_test_p
from .seeds import SeedSummary, is_degenerate, summarize_accuracies

__all__ = [
    "Floats",
    "RegressionLine",
    "SeedSummary",
    "RandomisationResult",
    "binomial_sf",
    "benjamini_hochberg",
    "two_sample_randomisation_test",
    "grouped_randomisation_test",
    "paired_randomisation_test",
    "binomial_p",
    "bootstrap_mean",
    "bootstrap_gap",
    "bootstrap_ratio",
    "is_degenerate",
    "fleiss_interval",
    "fleiss_kappa",
    "assign_folds",
    "group_count",
    "group_numbers",
    "holm",
    "krippendorff_alpha",
    "to_lattice",
    "min_attainable_p",
    "fit_line",
    "majority_credit",
    "mcnemar_test",
    "mean_interval",
    "t_test_p",
    "summarize_accuracies",
    "wilson_interval",
]
