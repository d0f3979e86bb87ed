"""Audits with nothing in them but the numbers that a test is about."""

from __future__ import annotations

from collections.abc import Sequence

from hansproof.types import Audit, Card, Cell, Estimate, Failure, Result, Subject, Table, Verdict

CUES = ("split", "cue", "applicability", "hits", "productivity", "low", "high", "chance", "flag")
TELLS = ("split", "slice", "tell", "accuracy", "low", "high", "chance", "n", "flag")
VIEWS = (
    "split", "view", "model", "accuracy", "low", "high", "chance", "q", "flag", "protocol",
    "trained_on", "n",
)  # fmt: skip


def audit(*results: Result, failures: tuple[Failure, ...] = (), name: str = "made") -> Audit:
    return Audit(
        Audit.SCHEMA, "0.1.0", name, {"all": "0" * 64}, {"all": 9}, Card(), results, failures, {}
    )


def verdict_result(probe: str, verdict: Verdict, subject: Subject = "benchmark") -> Result:
    """A probe that says nothing but its verdict."""
    return Result(probe, {}, verdict, f"{probe} is {verdict}.", subject=subject)


def integrity(verdict: Verdict = "clear") -> Result:
    findings = Table(("finding", "splits", "count"), ())
    return Result("integrity", {}, verdict, "No flaws.", tables={"findings": findings})


def cues(
    rows: Sequence[tuple[Cell, ...]], verdict: Verdict = "exposed", gain: float | None = None
) -> Result:
    return Result("cues", {}, verdict, "", tables={"cues": Table(CUES, tuple(rows))}, gain=gain)


def tells(
    rows: Sequence[tuple[Cell, ...]],
    verdict: Verdict = "exposed",
    gain: float | None = None,
    key: str | None = None,
) -> Result:
    table = Table(TELLS, tuple(rows))
    return Result("surface", {}, verdict, "", tables={"tells": table}, gain=gain, key=key)


def views(*rows: tuple[Cell, ...]) -> Result:
    return Result("partial_input", {}, "exposed", "", tables={"views": Table(VIEWS, rows)})


def estimates(probe: str, *found: Estimate) -> Result:
    return Result(probe, {}, "clear", "", found)
