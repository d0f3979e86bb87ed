"""The strongest findings come first."""

from __future__ import annotations

from dataclasses import replace

from hansproof.report.probe_order import effect_size, rank_results, sort_results
from hansproof.types import Estimate, Result, Verdict

from ..support.report_sample import audit


def result(probe: str, verdict: Verdict, gain: float | None = None) -> Result:
    return Result(probe, {}, verdict, "", gain=gain)


def test_verdicts_come_first_then_the_size_of_the_effect() -> None:
    results = (
        result("a", "skipped"), result("b", "clear"), result("c", "caution", 0.4),
        result("d", "exposed", 0.1), result("e", "undecided"), result("f", "exposed", 0.3),
        result("g", "clear"),
    )  # fmt: skip
    ordered = sort_results(audit(results, {"dev": ()}))
    assert [r.probe for r in ordered] == ["f", "d", "c", "e", "b", "g", "a"]


def test_without_a_gain_the_distance_from_chance_counts() -> None:
    share = Estimate("x", 0.2, 0.1, 0.3, 50, 0.25)
    assert effect_size(replace(result("a", "clear"), estimates=(share,))) == 0.25 - 0.2
    difference = replace(share, kind="difference", chance=0.0)
    assert effect_size(replace(result("a", "clear"), estimates=(difference,))) == 0
    assert effect_size(result("a", "clear")) == 0


def test_of_shortcuts_that_are_nearly_equally_strong_the_simplest_comes_first() -> None:
    results = (
        result("easy_hard", "exposed", 0.9), result("partial_input", "exposed", 0.5),
        result("cues", "exposed", 0.46), result("surface", "exposed", 0.2),
    )  # fmt: skip
    assert [r.probe for r in rank_results(results[1:])] == ["cues", "partial_input", "surface"]
    assert rank_results(results)[0].probe == "easy_hard"


def test_rules_come_before_a_model_that_gains_as_much_and_after_a_single_tell() -> None:
    results = (
        result("partial_input", "exposed", 0.5), result("shortcuts", "exposed", 0.5),
        result("surface", "exposed", 0.48),
    )  # fmt: skip
    assert [r.probe for r in rank_results(results)] == ["surface", "shortcuts", "partial_input"]
