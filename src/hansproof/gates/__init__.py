"""Limits on the numbers of an audit: each is passed, failed or left undecided.

>>> import hansproof
>>> result = hansproof.gate("mine.jsonl")
>>> result.passes(), [outcome.status for outcome in result.outcomes]
"""

from __future__ import annotations

from ..types import Audit
from .judge import judge_audit
from .limits_file import Limit, Limits, find_limits, read_limits
from .load import find_saved, load_or_run, probes_for
from .outcomes import GateResult, LimitOutcome

__all__ = [
    "GateResult",
    "Limit",
    "LimitOutcome",
    "Limits",
    "find_limits",
    "find_saved",
    "gate",
    "judge_audit",
    "load_or_run",
    "probes_for",
    "read_limits",
]


def gate(source: str | Audit, limits: Limits | None = None) -> GateResult:
    """Judge an audit, a saved audit or a benchmark by its limits.

    `source` is an audit, the path of a saved one, or anything that `hansproof.load` takes: a
    benchmark is audited by the probes that the limits need. Without `limits`, those of the nearest
    `hansproof.toml` or `pyproject.toml` hold, or the defaults.
    """
    limits = limits or find_limits()
    audit = source if isinstance(source, Audit) else load_or_run(source, limits)
    return judge_audit(audit, limits)
