"""An audit as a table for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...plugins import names
from ...results import key_estimate
from ...types import Audit, Result
from ..escape import reveal_hidden
from ..format_numbers import format_estimate, format_q
from ..headline import build_headline
from ..probe_order import sort_results

VERDICT_STYLES = {
    "clear": "green",
    "caution": "yellow",
    "exposed": "bold red",
    "undecided": "cyan",
    "skipped": "dim",
    "failed": "magenta",
}


def audit_view(audit: Audit) -> RenderableType:
    """Render the headline and one row per probe: question, verdict, finding, key estimate."""
    questions = names("probes")
    table = Table(show_lines=True, expand=True)
    for column, ratio in (("probe", 3), ("verdict", None), ("finding", 4), ("against chance", 3)):
        table.add_column(column, ratio=ratio, overflow="fold", no_wrap=not ratio)
    for result in sort_results(audit):
        main_estimate = key_estimate(result)
        estimate_text = (
            f"{main_estimate.name}\n{format_estimate(main_estimate)}" if main_estimate else ""
        )
        question = questions.get(result.probe, "")
        _add_row(
            table, result.probe, question, _verdict_text(result), result.summary, estimate_text
        )
    for failure in audit.failures:
        failed_text = _plain_text("failed", VERDICT_STYLES["failed"])
        _add_row(table, failure.probe, "", failed_text, failure.error, "")
    return Group(_plain_text(build_headline(audit), "bold"), table)


def _verdict_text(result: Result) -> Text:
    """Render the verdict and, below it, its corrected p-value."""
    text, q = _plain_text(result.verdict, VERDICT_STYLES[result.verdict]), format_q(result)
    return Text.assemble(text, (f"\n{q}", "dim")) if q else text


def _add_row(
    table: Table, probe: str, question: str, verdict: Text, finding: str, estimate: str
) -> None:
    name = Text.assemble((reveal_hidden(probe.replace("_", " ")), "bold"))
    if question:
        name.append("\n" + reveal_hidden(question), "dim")
    table.add_row(name, verdict, _plain_text(finding), _plain_text(estimate))


def _plain_text(text: str, style: str = "") -> Text:
    """Render plain text: a benchmark may contain `[bold]`, which is not markup here."""
    return Text(reveal_hidden(text), style)
