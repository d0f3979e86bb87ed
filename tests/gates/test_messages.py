"""Sentences about limits and about the gate as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hansproof.gates import GateResult, Limit, Limits, judge_audit
from hansproof.gates.limits_file import COUNT_LIMITS, DEFAULTS
from hansproof.gates.messages import (
    describe_finding,
    describe_gate,
    describe_limits,
    describe_status,
)
from hansproof.types import Audit, Estimate, Verdict

from ..support.gate_factories import audit, estimates, integrity, verdict_result

FAILS = "(undecided fails, unless --allow-undecided)."


def judged(*verdicts: Verdict, more: Limits = DEFAULTS) -> GateResult:
    results = [verdict_result(f"probe{i}", verdict) for i, verdict in enumerate(verdicts)]
    return judge_audit(audit(integrity(), *results), more)


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (DEFAULTS, "built in: worst verdict caution, duplicates 0, contradictions 0"),
        (Limits("a.toml"), "a.toml; built in: duplicates 0, contradictions 0"),
        (Limits("a.toml", (Limit("duplicates", 3),)), "a.toml; built in: contradictions 0"),
        (Limits("a.toml", COUNT_LIMITS), "a.toml"),
        (Limits("a.toml", (Limit("cue_lift", 1),), None), "a.toml"),
    ],
)
def test_the_limits_that_are_built_in_are_named(limits: Limits, text: str) -> None:
    assert describe_limits(limits) == text


@pytest.mark.parametrize(
    ("verdicts", "text", "allowing"),
    [
        (("clear", "caution"), "Gate passed: 5 limits.", "Gate passed: 5 limits."),
        (("skipped",), "Gate passed: 4 limits (1 skipped).", "Gate passed: 4 limits (1 skipped)."),
        (
            ("undecided", "skipped"),
            f"Gate failed: 1 limit is undecided {FAILS}",
            "Gate passed: 5 limits (1 skipped; 1 undecided, which is allowed).",
        ),
        (
            ("exposed", "exposed", "undecided", "undecided"),
            f"Gate failed: 2 limits failed and 2 are undecided {FAILS}",
            "Gate failed: 2 limits failed.",
        ),
    ],
)
def test_the_last_line_says_what_decides(
    verdicts: tuple[Verdict, ...], text: str, allowing: str
) -> None:
    assert describe_gate(judged(*verdicts)) == text
    assert describe_gate(judged(*verdicts), allow_undecided=True) == allowing


def test_what_was_not_measured_is_counted() -> None:
    limits = Limits("", (Limit("p/none", 1), Limit("p/e", 0.1)), worst_verdict=None)
    made: Audit = audit(estimates("p", Estimate("e", 0.5)))
    text = describe_gate(judge_audit(made, limits))
    assert text == "Gate failed: 1 limit failed and 1 was not measured."


def test_no_word_is_repeated() -> None:
    outcomes = judged("undecided", "exposed", "skipped").outcomes
    assert [describe_status(outcome) for outcome in outcomes[1:4]] == [
        "undecided, allowed: caution",
        "fail: exposed, allowed: caution",
        "skipped, allowed: caution",
    ]


def test_a_skipped_limit_does_not_say_skipped_twice() -> None:
    skipped = replace(verdict_result("balance", "skipped"), summary="Skipped: no pairs.")
    made = audit(integrity(), skipped)
    outcome = judge_audit(made, DEFAULTS).outcomes[1]
    assert (outcome.status, describe_finding(outcome)) == ("skipped", "No pairs.")
