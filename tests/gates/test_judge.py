"""The gate passes only what the audit's headline would not object to."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import get_args

import pytest

from hansproof.auditing import overall_verdict
from hansproof.gates import GateResult, Limit, Limits, judge_audit
from hansproof.gates.limits_file import DEFAULTS
from hansproof.gates.messages import outcome_lines
from hansproof.types import Audit, Estimate, Failure, Verdict

from ..support.gate_factories import audit, cues, estimates, integrity, verdict_result

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
FAILED = Failure("surface", "no split has answers")
COUNTS = [("duplicates", "pass"), ("contradictions", "pass")]


def audit_of(*verdicts: Verdict, failures: tuple[Failure, ...] = ()) -> Audit:
    """An audit with probes of these verdicts; integrity has the first, and found no copies."""
    first, *others = verdicts
    results = [verdict_result(f"probe{i}", verdict) for i, verdict in enumerate(others)]
    return audit(integrity(first), *results, failures=failures)


def statuses(result: GateResult) -> list[tuple[str, str]]:
    return [(outcome.limit.name, outcome.status) for outcome in result.outcomes]


@pytest.mark.parametrize("failures", [(), (FAILED,)], ids=["all-run", "one-failed"])
@pytest.mark.parametrize("verdicts", [*combinations_with_replacement(VERDICTS, 3)])
def test_gate_and_verdict_agree(
    verdicts: tuple[Verdict, ...], failures: tuple[Failure, ...]
) -> None:
    made = audit_of(*verdicts, failures=failures)
    result, overall = judge_audit(made, DEFAULTS), overall_verdict(made)
    assert result.passes() == (overall in ("clear", "caution"))
    is_judged = overall in ("clear", "caution", "undecided") and not failures
    assert result.passes(allow_undecided=True) == is_judged


@pytest.mark.parametrize("verdicts", [*product(VERDICTS, repeat=2)])
def test_strict_limits_pass_only_what_is_clear(verdicts: tuple[Verdict, Verdict]) -> None:
    made = audit_of(*verdicts)
    result = judge_audit(made, Limits("here", worst_verdict="clear"))
    assert result.passes() == (overall_verdict(made) == "clear")


def test_two_probes_exposed_fail() -> None:
    made = audit(
        integrity(), verdict_result("surface", "exposed"), verdict_result("cues", "exposed")
    )
    result = judge_audit(made, DEFAULTS)
    assert statuses(result) == [
        ("integrity", "pass"), ("surface", "fail"), ("cues", "fail"), *COUNTS,
    ]  # fmt: skip
    assert not result.passes(allow_undecided=True)
    assert outcome_lines(result.outcomes)[1] == (
        "fail  surface         exposed, allowed: caution  surface is exposed."
    )


def test_what_was_skipped_neither_passes_nor_fails() -> None:
    result = judge_audit(audit_of("clear", "skipped"), DEFAULTS)
    assert statuses(result)[1] == ("probe0", "skipped")
    assert result.passes()


@pytest.mark.parametrize(
    "made",
    [
        audit(),
        audit(verdict_result("balance", "skipped")),
        audit(verdict_result("accuracy", "clear", "models")),
    ],
    ids=["nothing", "skipped", "models"],
)
def test_a_benchmark_that_nothing_judged_fails(made: Audit) -> None:
    result = judge_audit(made, DEFAULTS)
    assert ("benchmark", "not measured") in statuses(result)
    assert not result.passes(allow_undecided=True)


def test_verdicts_on_models_do_not_count() -> None:
    made = audit(integrity(), verdict_result("accuracy", "exposed", "models"),
                 failures=(Failure("transfer", "no benchmarks", "models"),))  # fmt: skip
    assert statuses(judge_audit(made, DEFAULTS)) == [("integrity", "pass"), *COUNTS]


def test_a_probe_that_could_not_be_run_fails_and_says_why() -> None:
    result = judge_audit(audit(integrity(), failures=(FAILED,)), DEFAULTS)
    (line,) = (line for line in outcome_lines(result.outcomes) if line.startswith("not measured"))
    assert line.endswith("  could not be run: no split has answers")
    assert not result.passes(allow_undecided=True)


def test_a_measure_replaces_the_verdict_of_its_probe() -> None:
    cue = ("dev", "not", 20, 14, 0.7, 0.48, 0.8, 0.5, "telling")
    made = audit(integrity(), cues([cue]), verdict_result("surface", "exposed"))
    result = judge_audit(made, Limits("here", (Limit("cue_lift", 0.4),)))
    assert statuses(result) == [
        ("integrity", "pass"), ("surface", "fail"), ("cue_lift", "pass"), *COUNTS,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["p/e", "p/*", "*/e"])
def test_a_limit_on_an_estimate_does_not_replace_a_verdict(name: str) -> None:
    """A lower bound on an accuracy says nothing about shortcuts."""
    exposed = verdict_result("p", "exposed")
    made = audit(integrity(), exposed, estimates("q", Estimate("e", 0.9)))
    limits = Limits("here", (Limit(name, 0.5, at_most=False),))
    assert ("p", "fail") in statuses(judge_audit(made, limits))


def test_where_any_verdict_is_allowed_only_the_named_limits_count() -> None:
    made = audit(estimates("p", Estimate("e", 0.1)), verdict_result("cues", "exposed"))
    limits = Limits("here", (Limit("p/e", 0.5),), worst_verdict=None)
    assert statuses(judge_audit(made, limits)) == [("p/e", "pass")]


def test_an_undecided_verdict_tells_how_many_items_would_do() -> None:
    undecided = replace(verdict_result("surface", "undecided"), n_needed=850)
    outcomes = judge_audit(audit(undecided, integrity()), DEFAULTS).outcomes
    assert [outcome.items_needed for outcome in outcomes] == [850, None, None, None]


def test_a_count_limit_does_not_replace_the_verdict_of_integrity() -> None:
    """An empty choice is a caution: naming the default limit on duplicates must not hide it."""
    strict = Limits("here", (Limit("duplicates", 0),), worst_verdict="clear")
    assert ("integrity", "fail") in statuses(judge_audit(audit_of("caution"), strict))
