from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.stats import to_lattice


@given(st.integers(1, 30), st.lists(st.integers(-30, 30), min_size=1, max_size=50))
def test_multiples_of_a_fraction_are_found(seeds: int, hits: list[int]) -> None:
    scores = np.array([hit / seeds for hit in hits])
    found = to_lattice(scores)
    assert found is not None
    whole, common = found
    assert seeds % common == 0
    assert whole / common == pytest.approx(scores)


def test_means_of_ties_and_seeds_are_found() -> None:
    found = to_lattice(np.array([(1 + 1 / 2 + 0) / 3, (1 / 3 + 1 + 1) / 3, 0.0]))
    assert found is not None
    assert found[1] == 18
    assert found[0].tolist() == [9, 14, 0]


@pytest.mark.parametrize("scores", [[0.1234567, 0.5], [np.pi], [np.nan, 1.0], [np.inf]])
def test_real_scores_are_none(scores: list[float]) -> None:
    assert to_lattice(np.array(scores)) is None
