"""The whole audit in one sentence."""

from __future__ import annotations

from hansproof.report.headline import headline
from hansproof.types import Failure, Item, Result, Table, Verdict

from .sample import STRENGTH, audit, sample

ITEM = Item("1", {}, ("a", "b"), 0)
ALONE = "No single word or phrase in test is significant after correction."


def result(probe: str, verdict: Verdict, sentence: str = "Something was found.") -> Result:
    return Result(probe, {}, verdict, sentence)


def said(*results: Result, failures: tuple[Failure, ...] = ()) -> str:
    return headline(audit(results, {"dev": (ITEM,), "test": (ITEM,)}, failures))


def test_no_cue_alone_but_all_together_says_both() -> None:
    both = f"{ALONE} Yet all single words together say more than chance allows (p = 0.002)."
    assert said(result("cues", "caution", both), result("surface", "clear")) == (
        "paddock calls for care: no single word or phrase in test is significant after "
        "correction; yet all single words together say more than chance allows (p = 0.002)."
    )


def test_what_the_cues_say_together_is_added_where_the_probe_kept_silent() -> None:
    strength = Table(
        tuple(STRENGTH.split()),
        (("test", 1, 9.0, 8.0, 7.0, 10.0, 0.4), ("pooled", 2, 9.0, 5.0, 4.0, 6.0, 0.013)),
    )
    cues = Result("cues", {"level": 0.05}, "exposed", ALONE, tables={"strength": strength})
    assert said(cues).endswith(
        "correction; all 2-word phrases of pooled together say more than chance allows (p = 0.013)."
    )


def test_the_worst_leads_and_the_cues_are_told_of() -> None:
    sentence = said(
        result("cues", "caution", "COPA has “was”. It is right."),
        result("class_balance", "clear"),
        result("surface", "exposed", "The longest is right."),
        result("integrity", "exposed"),
    )
    assert sentence == (
        "paddock is not Hans-proof: the longest is right; COPA has “was”; it is right; "
        "exposed as well: integrity."
    )


def test_all_clear() -> None:
    clear = [result(probe, "clear") for probe in ("cues", "class_balance", "surface")]
    failed = (Failure("mine", "?"), Failure("yours", "?"))
    assert said(*clear, failures=failed) == (
        "paddock looks Hans-proof: nothing beyond chance in cues, class balance and surface; "
        "2 probes could not be run."
    )


def test_a_part_is_named() -> None:
    assert headline(sample(("original",), 60, 30, 2)).startswith("paddock:original is not")
