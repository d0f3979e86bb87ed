"""Limits on what an audit may find: a benchmark passes them, fails them, or has too few items.

>>> from hansproof import gate
>>> limits = gate.nearest()
>>> judged = gate.judge(gate.audited("mine.jsonl", limits), limits)
>>> judged.passed(), [outcome.status for outcome in judged.outcomes]
"""

from __future__ import annotations

from .limits import Limit, Limits, find_limits, read_limits
from .load import find_saved, load_or_run
from .outcomes import GateResult, LimitOutcome, judge_audit

__all__ = [
    "GateResult",
    "Limit",
    "Limits",
    "LimitOutcome",
    "load_or_run",
    "judge_audit",
    "find_limits",
    "read_limits",
    "find_saved",
]
