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
    from .gate import Judged, Outcome
    from .types import Audit


@dataclass(frozen=True)
class Gated:
    """An audit, and what came of the limits."""

    audit: Audit
    judged: Judged
    strict: bool

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """One for each limit."""
        return self.judged.outcomes

    def assert_hansproof(self) -> None:
        """Fail the test if a limit is broken; warn of what is undecided, or fail where strict."""
        __tracebackhide__ = True
        from .gate.wording import lines, title

        said = "\n".join(lines(self.outcomes))
        if not self.judged.passed(self.strict):
            pytest.fail(f"{title(self.judged)} is not Hans-proof\n{said}", pytrace=False)
        for line, outcome in zip(lines(self.outcomes), self.outcomes, strict=True):
            if outcome.status == "undecided":
                warnings.warn(f"{title(self.judged)}: {line}", stacklevel=2)


@pytest.fixture(scope="session")
def hansproof_audit() -> Callable[..., Gated]:
    """Audit a benchmark, or read a saved audit, and hold it against limits."""
    done: dict[tuple[str, tuple[str, ...]], Audit] = {}

    def audit(bench: str, limits: str | None = None, strict: bool = False) -> Gated:
        __tracebackhide__ = True
        from . import gate
        from .errors import HansproofError

        try:
            chosen = gate.read(limits) if limits else gate.nearest()
            # the same name may be another file in another folder
            here = os.path.abspath(bench) if os.path.exists(bench) else bench
            key = here, tuple(limit.name for limit in chosen.limits)
            if key not in done:
                done[key] = gate.audited(bench, chosen)
            return Gated(done[key], gate.judge(done[key], chosen), strict)
        except HansproofError as error:  # what the user can put right is a line here, too
            pytest.fail(f"hansproof: {error}", pytrace=False)

    return audit
