"""Intervals, tests and corrections: the arithmetic behind every claim, one idea per file."""

from __future__ import annotations

from .agreement import fleiss_interval, fleiss_kappa, krippendorff_alpha, majority
from .binomial import Floats, at_least, binomial_p, least_p, wilson
from .corrections import benjamini_hochberg, holm
from .grouped import between_parts
from .groups import folds, group_count, group_numbers
from .intervals import bootstrap, bootstrap_gap, bootstrap_ratio, mean_interval
from .lattice import lattice
from .least_squares import Line, least_squares, student
from .mcnemar import mcnemar
from .randomisation import Tested, between_items, between_systems
from .seeds import Summary, degenerate, summary

__all__ = [
    "Floats",
    "Line",
    "Summary",
    "Tested",
    "at_least",
    "benjamini_hochberg",
    "between_items",
    "between_parts",
    "between_systems",
    "binomial_p",
    "bootstrap",
    "bootstrap_gap",
    "bootstrap_ratio",
    "degenerate",
    "fleiss_interval",
    "fleiss_kappa",
    "folds",
    "group_count",
    "group_numbers",
    "holm",
    "krippendorff_alpha",
    "lattice",
    "least_p",
    "least_squares",
    "majority",
    "mcnemar",
    "mean_interval",
    "student",
    "summary",
    "wilson",
]
