"""The outcomes of limits for the terminal."""

from __future__ import annotations

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


def _colour_status(status: str, line: str) -> Text:
    text = Text(line, no_wrap=True, overflow="ignore")  # one line per limit, however long
    text.stylize(STATUS_STYLES[status], 0, len(status))
    return text
