"""Numbers with their company, and the one that says most."""

from __future__ import annotations

from hansproof.report.format_numbers import format_estimate, format_q
from hansproof.results import key_estimate
from hansproof.types import Estimate, Result

NEAR = Estimate("near", 0.51, 0.49, 0.53, 100, 0.5)
FAR = Estimate("far", 0.7, 0.6, 0.8, 100, 0.5)
RATIO = Estimate("ratio", 3.0, 2.9, 3.1, 100, 1.0, kind="ratio")


def test_shares_are_percentages_and_ratios_are_not() -> None:
    assert format_estimate(FAR) == "70.0% (60.0 to 80.0%), chance 50.0%"
    assert format_estimate(RATIO) == "3.00 (2.90 to 3.10), chance 1.00"
    assert format_estimate(Estimate("bare", 0.25)) == "25.0%"


def test_the_key_is_the_one_named_then_the_share_farthest_from_chance() -> None:
    estimates = (NEAR, FAR, RATIO)
    assert key_estimate(Result("x", {}, "exposed", "", estimates, key="near")) is NEAR
    assert key_estimate(Result("x", {}, "exposed", "", estimates, key="nowhere")) is FAR
    quoting = Result("x", {}, "exposed", "It is right 51.0% of times, near.", estimates)
    assert key_estimate(quoting) is FAR  # words are for people
    assert key_estimate(Result("x", {}, "caution", "Nothing.", estimates)) is FAR
    assert key_estimate(Result("x", {}, "exposed", "Nothing.", (RATIO,))) is RATIO
    assert key_estimate(Result("x", {}, "exposed", "Nothing.")) is None


def test_the_key_of_a_clear_result_is_not_its_most_extreme() -> None:
    pooled = Estimate("pooled: near", 0.51, 0.49, 0.53, 100, 0.5, split="pooled")
    poolish = Estimate("pooled2: near", 0.51, 0.49, 0.53, 100, 0.5, split="pooled2")
    assert key_estimate(Result("x", {}, "clear", "", (NEAR, FAR, RATIO))) is NEAR
    assert key_estimate(Result("x", {}, "clear", "", (FAR, poolish, pooled, NEAR))) is pooled
    assert key_estimate(Result("x", {}, "clear", "")) is None


def test_differences_are_points_and_kappa_is_a_number() -> None:
    gap = Estimate("test: BERT, gap", 0.119, 0.066, 0.174, 500, 0.0, kind="difference")
    assert format_estimate(gap) == "+11.9 points (+6.6 to +17.4), chance 0"
    less = Estimate("test: BERT, RoBERTa", -0.02, -0.05, 0.01, 500, 0.0, kind="difference")
    assert format_estimate(less) == "-2.0 points (-5.0 to +1.0), chance 0"
    bare = Estimate("a minus b", 0.02, chance=0.0, kind="difference")
    assert format_estimate(bare) == "+2.0 points, chance 0"
    kappa = Estimate("test: Fleiss' kappa", 0.5, 0.45, 0.55, 500, 0.0, kind="ratio")
    assert format_estimate(kappa) == "0.50 (0.45 to 0.55), chance 0.00"
    named = Estimate("test: ten minus two", 0.7, 0.6, 0.8, 500, 0.5)  # a system, no difference
    assert format_estimate(named) == "70.0% (60.0 to 80.0%), chance 50.0%"


def test_q_is_short_and_none_where_nothing_was_tested() -> None:
    shown = [format_q(Result("x", {}, "clear", "", q=q)) for q in (None, 0.0153, 1.0, 1e-30)]
    assert shown == ["", "q = 0.015", "q = 1", "q < 0.001"]
