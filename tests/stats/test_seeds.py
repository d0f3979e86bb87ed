from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from hansproof.stats import is_degenerate, summarize_accuracies


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_the_summary_is_that_of_the_standard_library(accuracies: list[float]) -> None:
    found = summarize_accuracies(accuracies)
    assert found.n == len(accuracies)
    assert found.mean == pytest.approx(statistics.fmean(accuracies))
    assert found.sd_population == pytest.approx(statistics.pstdev(accuracies), abs=1e-9)
    assert found.sd_sample == pytest.approx(statistics.stdev(accuracies), abs=1e-9)
    assert found.median == statistics.median(accuracies)
    assert (found.min, found.max) == (min(accuracies), max(accuracies))


def test_one_run_has_no_sample_deviation() -> None:
    assert summarize_accuracies([0.7]).sd_sample is None
    assert summarize_accuracies([0.7]).sd_population == 0


@given(st.integers(0, 500), st.sampled_from([0.5, 0.25, 0.2]))
def test_a_run_not_above_chance_in_training_is_degenerate(hits: int, chance: float) -> None:
    p = binomtest(hits, 500, chance, alternative="greater").pvalue
    assert is_degenerate(hits / 500, 500, chance) == (p > 0.01)


def test_training_that_fell_apart_is_degenerate_by_any_rule() -> None:
    assert is_degenerate(float("nan"), 500, 0.5)
    assert is_degenerate(float("nan"), 500, 0.5, "niven2019")


def test_niven_and_kaos_rule_is_a_line() -> None:
    assert is_degenerate(0.79, 500, 0.5, "niven2019")
    assert not is_degenerate(0.79, 500, 0.5)
    assert not is_degenerate(0.8, 500, 0.5, "niven2019")
