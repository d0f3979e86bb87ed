"""Audits with nothing in them but the numbers that a test is about."""

from __future__ import annotations

from collections.abc import Sequence

from hansproof.types import Audit, Card, Cell, Estimate, Failure, Result, Table, Verdict

CUES = ("split", "cue", "applicability", "hits", "productivity", "low", "high", "chance", "flag")
VIEWS = (
    "split", "view", "model", "accuracy", "low", "high", "chance", "q", "flag", "protocol",
    "trained_on", "n",
)  # fmt: skip


def audit(*results: Result, failures: tuple[Failure, ...] = (), name: str = "made") -> Audit:
    return Audit(
        Audit.SCHEMA, "0.1.0", name, {"all": "0" * 64}, {"all": 9}, Card(), results, failures, {}
    )


def cues(
    rows: Sequence[tuple[Cell, ...]], testable: int = 9, verdict: Verdict = "exposed"
) -> Result:
    tables = {"cues": Table(CUES, tuple(rows)), "summary": Table(("testable",), ((testable,),))}
    return Result("cues", {}, verdict, "", tables=tables)


def views(*rows: tuple[Cell, ...]) -> Result:
    return Result("partial_input", {}, "exposed", "", tables={"views": Table(VIEWS, rows)})


def estimates(probe: str, *found: Estimate) -> Result:
    return Result(probe, {}, "clear", "", found)
