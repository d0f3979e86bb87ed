"""Limits on the numbers of an audit: each is passed, failed or left undecided.

Examples:
    >>> import hansproof
    >>> result = hansproof.gate("toy:original")
    >>> result.passes()
    False
"""

from __future__ import annotations

import os
from typing import Any

from .._infra.flag_names import keywords_in_errors
from .._infra.value_types import convert_value
from ..types import Audit
from .judge import judge_audit
from .limits_file import Limit, Limits, find_limits, read_limits
from .load import load_or_run, probes_for
from .outcomes import GateResult, LimitOutcome

__all__ = [
    "GateResult",
    "Limit",
    "LimitOutcome",
    "Limits",
    "find_limits",
    "gate",
    "judge_audit",
    "load_or_run",
    "probes_for",
    "read_limits",
]


def gate(source: Any, limits: Limits | str | os.PathLike[str] | None = None) -> GateResult:
    """Judge an audit or a benchmark by limits.

    Args:
        source: An Audit, a saved audit (`audit.json`, or its folder), a Benchmark, or anything that
            `hansproof.load` takes. A benchmark is audited with the probes that the limits need.
        limits: Limits, or a file of limits. By default those of the nearest `hansproof.toml` or
            `pyproject.toml`, here or above, or the built-in ones: no probe may have the verdict
            `exposed`, and no item may be a duplicate or contradict another.

    Raises:
        BadInput: A file of limits or of items cannot be read.

    Examples:
        >>> import hansproof
        >>> result = hansproof.gate("toy:original")
        >>> result.passes()
        False
        >>> [outcome.limit.name for outcome in result.outcomes if outcome.status == "fail"]
        ['cues', 'partial_input', 'shortcuts']
    """
    with keywords_in_errors():
        if limits is None:
            limits = find_limits()
        elif not isinstance(limits, Limits):
            limits = read_limits(convert_value("limits", limits, str))
        if not isinstance(source, Audit):
            source = load_or_run(source, limits)
        return judge_audit(source, limits)
