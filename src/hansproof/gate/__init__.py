"""Limits on what an audit may find: a benchmark passes them, fails them, or has too few items.

>>> from hansproof import gate
>>> limits = gate.nearest()
>>> judged = gate.judge(gate.audited("mine.jsonl", limits), limits)
>>> judged.passed(), [outcome.status for outcome in judged.outcomes]
"""

from __future__ import annotations

from .limits import Limit, Limits, nearest, read
from .outcomes import Judged, Outcome, judge
from .source import audited, saved

__all__ = [
    "Judged",
    "Limit",
    "Limits",
    "Outcome",
    "audited",
    "judge",
    "nearest",
    "read",
    "saved",
]
