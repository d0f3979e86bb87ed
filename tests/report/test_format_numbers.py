"""Numbers with their company, and the one that says most."""

from __future__ import annotations

from hansproof.report.format_numbers import format_estimate, format_q, key_estimate
from hansproof.types import Estimate, Result

NEAR = Estimate("near", 0.51, 0.49, 0.53, 100, 0.5)
FAR = Estimate("far", 0.7, 0.6, 0.8, 100, 0.5)
RATIO = Estimate("ratio", 3.0, 2.9, 3.1, 100, 1.0)


def test_shares_are_percentages_and_ratios_are_not() -> None:
    assert format_estimate(FAR) == "70.0 % (60.0 to 80.0 %), chance 50.0 %"
    assert format_estimate(RATIO) == "3.00 (2.90 to 3.10), chance 1.00"
    assert format_estimate(Estimate("bare", 0.25)) == "25.0 %"


def test_the_key_is_the_one_quoted_then_the_share_farthest_from_chance() -> None:
    estimates = (NEAR, FAR, RATIO)
    quoting = Result("x", {}, "exposed", "It is right 51.0% of times.", estimates)
    assert key_estimate(quoting) is NEAR
    assert key_estimate(Result("x", {}, "caution", "Nothing.", estimates)) is FAR
    assert key_estimate(Result("x", {}, "exposed", "Nothing.", (RATIO,))) is RATIO
    assert key_estimate(Result("x", {}, "exposed", "Nothing.")) is None


def test_the_key_of_a_clear_result_is_not_its_most_extreme() -> None:
    pooled = Estimate("pooled: near", 0.51, 0.49, 0.53, 100, 0.5)
    poolish = Estimate("pooled2: near", 0.51, 0.49, 0.53, 100, 0.5)
    assert key_estimate(Result("x", {}, "clear", "", (NEAR, FAR, RATIO))) is NEAR
    assert key_estimate(Result("x", {}, "clear", "", (FAR, poolish, pooled, NEAR))) is pooled
    assert key_estimate(Result("x", {}, "clear", "")) is None


def test_differences_are_points_and_kappa_is_a_number() -> None:
    gap = Estimate("test: BERT, gap with Easy from cue rules", 0.119, 0.066, 0.174, 500, 0.0)
    assert format_estimate(gap) == "+11.9 points (+6.6 to +17.4), chance 0"
    less = Estimate("test: BERT minus RoBERTa", -0.02, -0.05, 0.01, 500, 0.0)
    assert format_estimate(less) == "-2.0 points (-5.0 to +1.0), chance 0"
    assert format_estimate(Estimate("a minus b", 0.02, chance=0.0)) == "+2.0 points, chance 0"
    kappa = Estimate("test: Fleiss' kappa", 0.5, 0.45, 0.55, 500, 0.0)
    assert format_estimate(kappa) == "0.50 (0.45 to 0.55), chance 0.00"
    named = Estimate("test: ten minus two", 0.7, 0.6, 0.8, 500, 0.5)  # a system, no difference
    assert format_estimate(named) == "70.0 % (60.0 to 80.0 %), chance 50.0 %"


def test_points_are_quoted_too() -> None:
    gaps = [Estimate(f"test: {at}, gap with Easy from x", at / 10, 0, 1, 9, 0.0) for at in range(4)]
    said = Result("x", {}, "exposed", "BERT by 20.0 points in test.", tuple(gaps))
    assert key_estimate(said) is gaps[2]


def test_of_several_quoted_the_first_is_the_key() -> None:
    lead = Estimate("train: choices (bow)", 0.672, 0.5, 0.8, 100, 0.5)
    surer = Estimate("dev: choices (bow)", 0.653, 0.65, 0.66, 100, 0.5)
    fixed = Estimate("dev: claim (bow)", 0.5, 0.5, 0.5, 100, 0.5)
    said = "It answers 67.2% of train (chance 50.0%). Elsewhere 65.3% of dev."
    assert key_estimate(Result("x", {}, "exposed", said, (fixed, surer, lead))) is lead


def test_of_several_alike_the_key_is_the_one_named() -> None:
    alike = [Estimate(f"dev: bow, n={n}, mean", 0.624 + n / 1e4, 0.6, 0.7) for n in (1, 2, 3)]
    said = "In dev the best of 3 systems, bow, n=2, is right 62.4% of the time."
    assert key_estimate(Result("x", {}, "caution", said, tuple(alike))) is alike[1]


def test_q_is_short_and_none_where_nothing_was_tested() -> None:
    shown = [format_q(Result("x", {}, "clear", "", q=q)) for q in (None, 0.0153, 1.0, 1e-30)]
    assert shown == ["", "q = 0.015", "q = 1", "q < 0.001"]
