"""Outcomes as annotations of GitHub Actions, one workflow command per line.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections.abc import Iterator

from .messages import describe_finding, describe_status, escape_unprintable, gate_title
from .outcomes import GateResult


def workflow_commands(gate_result: GateResult, allow_undecided: bool = False) -> Iterator[str]:
    """Yield an error for each limit that fails and a warning for each undecided one."""
    for outcome in gate_result.outcomes:
        if outcome.status in ("pass", "skipped"):
            continue
        kind = "error" if outcome.fails(allow_undecided) else "warning"
        title = gate_title(gate_result)
        message = f"{title}: {describe_status(outcome)}. {describe_finding(outcome)}"
        name = f"hansproof {escape_unprintable(outcome.limit.name)}"
        yield f"::{kind} title={_escape_property(name)}::{_escape_data(message)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
