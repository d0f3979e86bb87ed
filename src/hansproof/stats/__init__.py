"""Confidence intervals, significance tests and corrections for multiple tests."""

from __future__ import annotations

from .above_chance import p_above_chance
from .agreement import fleiss_interval, fleiss_kappa, krippendorff_alpha, majority_credit
from .binomial import Floats, binomial_p, binomial_sf, min_attainable_p, wilson_interval
from .corrections import benjamini_hochberg, holm
from .drawn_sums import drawn_sum_p
from .grouped_randomisation import grouped_randomisation_test
from .groups import assign_folds, group_count, group_numbers
from .intervals import bootstrap_gap, bootstrap_mean, bootstrap_ratio, mean_interval
from .lattice import to_lattice
from .mcnemar import mcnemar_test
from .merged_p import merge_p_values
from .power import (
    ENOUGH_POWER,
    binomial_power,
    chi2_power,
    coverage_power,
    items_needed,
    normal_power,
    round_up,
)
from .randomisation import (
    RandomisationResult,
    paired_randomisation_test,
    two_sample_randomisation_test,
)
from .regression import RegressionLine, fit_line, t_test_p
from .seeds import SeedSummary, is_degenerate, summarize_accuracies
from .stratified_randomisation import stratified_randomisation_test
from .weighted_hits import weighted_hits_p

__all__ = [
    "ENOUGH_POWER",
    "Floats",
    "RandomisationResult",
    "RegressionLine",
    "SeedSummary",
    "assign_folds",
    "benjamini_hochberg",
    "binomial_p",
    "binomial_power",
    "binomial_sf",
    "bootstrap_gap",
    "bootstrap_mean",
    "bootstrap_ratio",
    "chi2_power",
    "coverage_power",
    "drawn_sum_p",
    "fit_line",
    "fleiss_interval",
    "fleiss_kappa",
    "group_count",
    "group_numbers",
    "grouped_randomisation_test",
    "holm",
    "is_degenerate",
    "items_needed",
    "krippendorff_alpha",
    "majority_credit",
    "mcnemar_test",
    "mean_interval",
    "merge_p_values",
    "min_attainable_p",
    "normal_power",
    "p_above_chance",
    "paired_randomisation_test",
    "round_up",
    "stratified_randomisation_test",
    "summarize_accuracies",
    "t_test_p",
    "to_lattice",
    "two_sample_randomisation_test",
    "weighted_hits_p",
    "wilson_interval",
]
