"""Counts of correct items that a printed percentage implies."""

from __future__ import annotations

import math

import numpy as np

from ..stats import two_sample_randomisation_test


def possible_counts(percent: float, n: int, digits: int = 1) -> list[int]:
    """List all k for which 100 k / n rounds to the printed percentage."""
    slack = 0.5 * 10.0**-digits + 1e-9
    low, high = (n * (percent + sign * slack) / 100 for sign in (-1, 1))
    return [k for k in range(math.ceil(low), math.floor(high) + 1) if 0 <= k <= n]


def randomisation_p_values(
    first: int, n_first: int, second: int, n_second: int
) -> tuple[float, float]:
    """Test two counts of correct items by randomisation: two-sided and one-sided p in per cent."""
    first_hits, second_hits = (
        np.repeat([1.0, 0.0], [n_right, n - n_right])
        for n_right, n in ((first, n_first), (second, n_second))
    )
    tests = (
        two_sample_randomisation_test(first_hits, second_hits, alternative="two"),
        two_sample_randomisation_test(first_hits, second_hits, alternative="greater"),
    )
    return 100 * tests[0].p, 100 * tests[1].p
