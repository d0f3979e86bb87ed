from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from hansproof.stats import p_above_chance, paired_randomisation_test


def test_right_or_wrong_items_without_groups_have_the_binomial_p() -> None:
    scores, guess = np.array([1.0] * 14 + [0.0] * 6), np.full(20, 0.5)
    expected = binomtest(14, 20, 0.5, alternative="greater").pvalue
    assert p_above_chance(scores, guess, [None] * 20) == pytest.approx(expected)


def test_ties_and_groups_have_the_p_of_the_randomisation_test() -> None:
    scores, guess = np.array([1.0] * 14 + [0.0] * 6), np.full(20, 0.5)
    pairs = [str(n // 2) for n in range(20)]
    tied = np.where(np.arange(20) == 0, 0.5, scores)
    for values, groups in ((scores, pairs), (tied, [None] * 20)):
        expected = paired_randomisation_test(values, guess, groups, alternative="greater").p
        assert p_above_chance(values, guess, groups) == expected
