from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from hansproof.stats import benjamini_hochberg, holm


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_benjamini_hochberg_is_scipys(p: list[float]) -> None:
    assert benjamini_hochberg(p) == pytest.approx(false_discovery_control(p))


def test_benjamini_hochberg_of_nothing() -> None:
    assert benjamini_hochberg([]).size == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_holm_is_statsmodels(p: list[float]) -> None:
    with patch("gc.collect"):  # which statsmodels calls every time: half a minute in a full worker
        theirs = multipletests(p, method="holm")[1]
    assert holm(p) == pytest.approx(theirs)


def test_holm_of_nothing() -> None:
    assert holm([]).size == 0
