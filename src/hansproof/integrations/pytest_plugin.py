"""A fixture for the tests of a benchmark: `hansproof_audit("mine.jsonl").assert_hansproof()`.

pytest loads this file wherever hansproof is installed, so it imports nothing before it is asked.
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
    """An audit, and what came of the limits."""

    audit: Audit
    gate_result: GateResult
    strict: bool

    @property
    def outcomes(self) -> tuple[LimitOutcome, ...]:
        """One for each limit."""
        return self.gate_result.outcomes

    def assert_hansproof(self) -> None:
        """Fail the test if a limit is broken; warn of what is undecided, or fail where strict."""
        __tracebackhide__ = True
        from ..gates.messages import gate_title, outcome_lines

        message = "\n".join(outcome_lines(self.outcomes))
        if not self.gate_result.passes(self.strict):
            pytest.fail(
                f"{gate_title(self.gate_result)} is not Hans-proof\n{message}", pytrace=False
            )
        for line, outcome in zip(outcome_lines(self.outcomes), self.outcomes, strict=True):
            if outcome.status == "undecided":
                warnings.warn(f"{gate_title(self.gate_result)}: {line}", stacklevel=2)


@pytest.fixture(scope="session")
def hansproof_audit() -> Callable[..., GatedAudit]:
    """Audit a benchmark, or read a saved audit, and hold it against limits."""
    audits: dict[tuple[str, tuple[str, ...]], Audit] = {}

    def run_gate(bench: str, limits: str | None = None, strict: bool = False) -> GatedAudit:
        __tracebackhide__ = True
        from .. import gates
        from ..errors import HansproofError

        try:
            gate_limits = gates.read_limits(limits) if limits else gates.find_limits()
            # the same name may be another file in another folder
            location = os.path.abspath(bench) if os.path.exists(bench) else bench
            key = location, tuple(limit.name for limit in gate_limits.limits)
            if key not in audits:
                audits[key] = gates.load_or_run(bench, gate_limits)
            return GatedAudit(audits[key], gates.judge_audit(audits[key], gate_limits), strict)
        except HansproofError as error:  # what the user can put right is a line here, too
            pytest.fail(f"hansproof: {error}", pytrace=False)

    return run_gate
