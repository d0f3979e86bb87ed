"""Merged p-values are valid whatever their dependence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import ndtr

from hansproof.stats import merge_p_values

N = 4000
RNG = np.random.default_rng(0)
UNIFORM = RNG.random(N)


def normal_p(correlation: float, k: int = 5) -> NDArray[np.float64]:
    common = math.sqrt(correlation) * RNG.normal(size=(N, 1))
    return np.asarray(ndtr(common + math.sqrt(1 - correlation) * RNG.normal(size=(N, k))))


# p-values of one row depend on each other
DEPENDENT = {
    "independent": RNG.random((N, 5)),
    "equal": np.repeat(UNIFORM[:, None], 5, axis=1),
    "opposite": np.stack([UNIFORM, 1 - UNIFORM], axis=1),
    "correlated": normal_p(0.5),
    "shifted": np.stack([(UNIFORM + k / 3) % 1 for k in range(3)], axis=1),
    # as near to the bound as three can come: all are small together
    "jointly small": np.stack([np.where(UNIFORM < 0.15, (UNIFORM + k * 0.05) % 0.15, UNIFORM)
                               for k in range(3)], axis=1),
}  # fmt: skip


@pytest.mark.parametrize("name", DEPENDENT)
def test_a_small_merged_p_is_as_rare_as_it_says(name: str) -> None:
    merged = np.array([merge_p_values(row) for row in DEPENDENT[name]])
    for level in (0.01, 0.05, 0.1, 0.3):
        spread = math.sqrt(level * (1 - level) / N)
        assert (merged <= level).mean() <= level + 3 * spread


@given(st.lists(st.floats(1e-12, 1), min_size=2, max_size=8))
def test_it_is_e_times_the_geometric_mean(p: list[float]) -> None:
    assert merge_p_values(p) == pytest.approx(min(1.0, math.e * math.prod(p) ** (1 / len(p))))
    assert merge_p_values(p) == pytest.approx(merge_p_values(p[::-1]))


def test_edges() -> None:
    assert merge_p_values([0.3]) == 0.3
    assert merge_p_values([0.0, 1.0]) == 0.0
    assert merge_p_values([1.0, 1.0]) == 1.0
