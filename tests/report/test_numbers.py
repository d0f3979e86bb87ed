"""Numbers with their company, and the one that says most."""

from __future__ import annotations

from hansproof.report.numbers import against_chance, key_estimate
from hansproof.types import Estimate, Result

NEAR = Estimate("near", 0.51, 0.49, 0.53, 100, 0.5)
FAR = Estimate("far", 0.7, 0.6, 0.8, 100, 0.5)
RATIO = Estimate("ratio", 3.0, 2.9, 3.1, 100, 1.0)


def test_shares_are_percentages_and_ratios_are_not() -> None:
    assert against_chance(FAR) == "70.0 % (60.0 to 80.0 %), chance 50.0 %"
    assert against_chance(RATIO) == "3.00 (2.90 to 3.10), chance 1.00"
    assert against_chance(Estimate("bare", 0.25)) == "25.0 %"


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
