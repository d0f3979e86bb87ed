"""The outcomes of limits for the terminal."""

from __future__ import annotations

from collections import Counter

from rich.console import Group, RenderableType
from rich.text import Text

from ...gates import GateResult
from ...gates.messages import outcome_lines

STATUS_STYLES = {
    "pass": "green",
    "skipped": "dim",
    "undecided": "cyan",
    "fail": "bold red",
    "not measured": "magenta",
}


def gate_view(gate_result: GateResult) -> RenderableType:
    """Render one line per limit, with its status in colour."""
    rows = zip(gate_result.outcomes, outcome_lines(gate_result.outcomes), strict=True)
    return Group(*(_colour_status(outcome.status, line) for outcome, line in rows))


def describe_outcome(gate_result: GateResult, allow_undecided: bool) -> str:
    """Say whether the gate passes, and how many limits have which status."""
    counts = Counter[str](outcome.status for outcome in gate_result.outcomes)
    listing = ", ".join(f"{counts[status]} {status}" for status in STATUS_STYLES if counts[status])
    if gate_result.passes(allow_undecided):
        return f"passed: {listing}"
    blocked_by_doubt = gate_result.passes(allow_undecided=True)
    hint = "; --allow-undecided lets undecided limits pass" if blocked_by_doubt else ""
    return f"failed: {listing}{hint}"


def _colour_status(status: str, line: str) -> Text:
    text = Text(line, no_wrap=True, overflow="ignore")  # one line per limit, however long
    text.stylize(STATUS_STYLES[status], 0, len(status))
    return text
