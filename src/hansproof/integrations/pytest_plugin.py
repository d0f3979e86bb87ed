"""A pytest fixture that audits benchmarks: `hansproof_audit("mine.jsonl").assert_within_limits()`.

pytest loads this file wherever hansproof is installed, so it imports nothing until the fixture is
used.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..gates import GateResult, LimitOutcome
    from ..types import Audit


@dataclass(frozen=True)
class GatedAudit:
    """An audit and the result of checking it against limits."""

    audit: Audit
    gate_result: GateResult
    allow_undecided: bool

    @property
    def outcomes(self) -> tuple[LimitOutcome, ...]:
        """The outcomes, one per limit."""
        return self.gate_result.outcomes

    def assert_within_limits(self) -> None:
        """Fail the test if a limit is broken or undecided; warn if undecided ones are allowed."""
        __tracebackhide__ = True
        from ..gates.messages import gate_title, outcome_lines

        message = "\n".join(outcome_lines(self.outcomes))
        if not self.gate_result.passes(self.allow_undecided):
            title = gate_title(self.gate_result)
            pytest.fail(f"{title} is outside its limits\n{message}", pytrace=False)
        for line, outcome in zip(outcome_lines(self.outcomes), self.outcomes, strict=True):
            if outcome.status == "undecided":
                warnings.warn(f"{gate_title(self.gate_result)}: {line}", stacklevel=2)


@pytest.fixture(scope="session")
def hansproof_audit() -> Callable[..., GatedAudit]:
    """Audit a benchmark, or read a saved audit, and hold it against limits."""
    audits: dict[tuple[str, tuple[str, ...]], Audit] = {}

    def run_gate(
        bench: str, limits: str | None = None, allow_undecided: bool = False
    ) -> GatedAudit:
        __tracebackhide__ = True
        from .. import gates
        from ..errors import HansproofError

        try:
            gate_limits = gates.read_limits(limits) if limits else gates.find_limits()
            # the same relative path may mean another file after a change of folder
            location = os.path.abspath(bench) if os.path.exists(bench) else bench
            key = location, tuple(gates.probes_for(gate_limits))
            if key not in audits:
                audits[key] = gates.load_or_run(bench, gate_limits)
            return GatedAudit(
                audits[key], gates.judge_audit(audits[key], gate_limits), allow_undecided
            )
        except HansproofError as error:  # errors that users can fix are shown without a traceback
            pytest.fail(f"hansproof: {error}", pytrace=False)

    return run_gate
