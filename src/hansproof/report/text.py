"""An audit as a table for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..plugins import names
from ..types import Audit, Result
from .headline import headline
from .numbers import against_chance, corrected, key_estimate
from .order import ordered
from .visible import visible

STYLES = {"clear": "green", "caution": "yellow", "exposed": "bold red", "failed": "magenta"}


def summary(audit: Audit) -> RenderableType:
    """The headline, and one row per probe: question, verdict, finding, estimate against chance."""
    questions = names("probes")
    table = Table(show_lines=True, expand=True)
    for column, ratio in (("probe", 3), ("verdict", None), ("finding", 4), ("against chance", 3)):
        table.add_column(column, ratio=ratio, overflow="fold", no_wrap=not ratio)
    for result in ordered(audit):
        key = key_estimate(result)
        estimate = f"{key.name}\n{against_chance(key)}" if key else ""
        question = questions.get(result.probe, "")
        _row(table, result.probe, question, _verdict(result), result.sentence, estimate)
    for failure in audit.failures:
        failed = _plain("failed", STYLES["failed"])
        _row(table, failure.probe, "", failed, failure.error, "")
    return Group(_plain(headline(audit), "bold"), table)


def _verdict(result: Result) -> Text:
    """The verdict, and under it how likely chance alone is to bring it."""
    said, q = _plain(result.verdict, STYLES[result.verdict]), corrected(result)
    return Text.assemble(said, (f"\n{q}", "dim")) if q else said


def _row(table: Table, probe: str, question: str, verdict: Text, said: str, key: str) -> None:
    name = Text.assemble((visible(probe.replace("_", " ")), "bold"))
    if question:
        name.append("\n" + visible(question), "dim")
    table.add_row(name, verdict, _plain(said), _plain(key))


def _plain(text: str, style: str = "") -> Text:
    """Text, not rich's markup: a benchmark may well contain [bold]."""
    return Text(visible(text), style)
