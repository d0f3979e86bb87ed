"""The outcomes of limits for the terminal."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.text import Text

from ...gates import GateResult
from ...gates.messages import describe_finding, outcome_columns, outcome_lines

STATUS_STYLES = {
    "pass": "green",
    "skipped": "dim",
    "undecided": "cyan",
    "fail": "bold red",
    "not measured": "magenta",
}


@dataclass(frozen=True, slots=True)
class GateRows:
    """One row per limit, with its status in colour.

    In a terminal the finding is wrapped under its row; a pipe gets one whole line per limit.
    """

    gate_result: GateResult

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the rows for a terminal, or the lines for a pipe."""
        outcomes = self.gate_result.outcomes
        if not console.is_terminal:
            yield from (
                Text(line, no_wrap=True, overflow="ignore") for line in outcome_lines(outcomes)
            )
            return
        indent = max((len(outcome.status) for outcome in outcomes), default=0) + 2
        for columns, outcome in zip(outcome_columns(outcomes), outcomes, strict=True):
            row = Text(columns.rstrip(), overflow="fold")
            row.stylize(STATUS_STYLES[outcome.status], 0, len(outcome.status))
            yield row
            finding = Text(describe_finding(outcome), overflow="fold")
            for line in finding.wrap(console, max(options.max_width - indent, 20)):
                yield Text(" " * indent) + line


def gate_view(gate_result: GateResult) -> RenderableType:
    """Render the outcomes of all limits."""
    return GateRows(gate_result)
