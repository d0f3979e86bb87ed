"""An audit for the terminal: the headline, and one line per probe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from ...plugins import names
from ...results import SKIPPED_PREFIX, key_estimate
from ...types import Audit, Result
from ..escape import reveal_hidden
from ..format_numbers import format_brief_chance, format_compact
from ..headline import build_headline
from ..next_steps import next_step
from ..probe_order import sort_results
from .result import VERDICT_STYLES, result_view


@dataclass(frozen=True, slots=True)
class SingleLine:
    """A line that ends in `…` where the terminal is too narrow; in a file it is whole."""

    text: Text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = self.text.copy()
        line.no_wrap, line.overflow = True, options.overflow or "ellipsis"
        yield line


def audit_view(audit: Audit, verbose: bool = False) -> RenderableType:
    """Render the headline and one line per probe: verdict, probe, number or reason.

    With `verbose`, the estimates, tables and notes of every probe follow.
    """
    headline = Text(reveal_hidden(build_headline(audit)), "bold")
    details = _detail_views(audit) if verbose else ()
    return Group(headline, Text(), *_probe_lines(audit), *details, *_next_step_lines(audit))


def _probe_lines(audit: Audit) -> Iterator[SingleLine]:
    rows: list[tuple[str, str, str]] = [
        (result.verdict, result.probe, _describe_result(result, audit))
        for result in sort_results(audit)
    ]
    rows += [("failed", failure.probe, failure.error) for failure in audit.failures]
    verdict_width = max((len(verdict) for verdict, _, _ in rows), default=0)
    probe_width = max((len(probe) for _, probe, _ in rows), default=0)
    for verdict, probe, text in rows:
        line = Text.assemble(
            (f"{verdict:{verdict_width}}", VERDICT_STYLES[verdict]), "  ",
            (f"{reveal_hidden(probe.replace('_', ' ')):{probe_width}}", "bold"), "  ",
            reveal_hidden(text),
        )  # fmt: skip
        yield SingleLine(line)


def _describe_result(result: Result, audit: Audit) -> str:
    """Describe a result in one line: the number and what it is, or else the finding."""
    estimate = None if result.verdict == "skipped" else key_estimate(result)
    if estimate is None:
        return result.summary.removeprefix(SKIPPED_PREFIX)
    name = estimate.name.removeprefix(f"{estimate.split}: ") if estimate.split else estimate.name
    if name != estimate.name and len(audit.sizes) > 1:  # last, since a narrow terminal cuts it
        name += f", {estimate.split}"
    chance = f", chance {format_brief_chance(estimate)}" if format_brief_chance(estimate) else ""
    return f"{format_compact(estimate)}{chance}  {name}"


def _next_step_lines(audit: Audit) -> Iterator[Text]:
    """Say what to do about the strongest finding, or what is undecided, with a command to copy."""
    steps = (next_step(result, audit) for result in sort_results(audit))
    step = next((step for step in steps if step), None)
    if step is None:
        return
    yield Text.assemble("\n", ("next: ", "bold"), reveal_hidden(step.text))
    if step.command:
        # the terminal wraps a long command, so that it can be copied as one line
        yield Text(f"  {reveal_hidden(step.command)}", no_wrap=True, overflow="ignore")


def _detail_views(audit: Audit) -> Iterator[RenderableType]:
    questions = names("probes")
    for result in sort_results(audit):
        heading = result.probe.replace("_", " ")
        question = questions.get(result.probe, "")
        yield Text.assemble("\n", (reveal_hidden(heading), "bold"), f"  {reveal_hidden(question)}")
        yield result_view(result)
