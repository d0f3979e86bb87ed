"""Results, benchmarks and differences for the terminal; data to stdout."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ...diff import AuditDiff
from ...types import Benchmark, Cell, EditReport, Result
from ..escape import reveal_hidden
from ..format_numbers import format_estimate
from ..html.highlight import bracket_marks
from .audit import VERDICT_STYLES
from .table import TerminalTable

MAX_ROWS = 15  # of a table that the terminal shows
JSON_HINT = "--json has them all"


def print_view(view: RenderableType, soft_wrap: bool = False) -> None:
    """Print for a person; `whole`: lines stay whole, and the terminal breaks them."""
    Console(highlight=False, soft_wrap=soft_wrap or not sys.stdout.isatty()).print(view)


def print_json(value: Any) -> None:
    """Print for a program: one line of JSON."""
    import msgspec

    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def print_result(result: Result, as_json: bool) -> None:
    """Print what a probe found, for whoever asked."""
    if as_json:
        print_json(result)
    else:
        print_view(result_view(result))


def result_view(result: Result) -> RenderableType:
    """The finding, its numbers, and the first rows of every table."""
    finding = Text.assemble(
        (result.verdict, VERDICT_STYLES[result.verdict]), "  ", reveal_hidden(result.summary)
    )
    return Group(finding, *_detail_views(result))


def edit_report_view(report: EditReport) -> RenderableType:
    """What an edit did."""
    return Group(Text(reveal_hidden(report.summary)), *_detail_views(report))


def _detail_views(findings: Result | EditReport) -> list[RenderableType]:
    """Estimates, the first rows of every table, notes."""
    parts: list[RenderableType] = []
    if findings.estimates:
        rows = [(e.name, format_estimate(e)) for e in findings.estimates]
        parts.append(_limited_table("estimates", ("name", "value"), rows))
    for name, table in ((name, bracket_marks(table)) for name, table in findings.tables.items()):
        if not table.rows:
            continue
        # flagged rows first: they are what one looks for
        flagged_first = sorted(table.rows, key=lambda row: row[-1] in ("", None))
        parts.append(_limited_table(name, table.columns, flagged_first))
    parts.extend(Text(f"note: {reveal_hidden(note)}", "dim") for note in findings.notes)
    return parts


def benchmark_view(benchmark: Benchmark, items_per_split: int) -> RenderableType:
    """Card, splits, and a few items of each split."""
    card = benchmark.card
    parts: list[RenderableType] = [
        Text.assemble((reveal_hidden(card.title or benchmark.name), "bold")),
        *(
            Text(f"{label}: {reveal_hidden(value)}")
            for label, value in (
                ("home", card.home), ("licence", card.licence), ("citation", card.citation)
            )
            if value
        ),
    ]  # fmt: skip
    roles = {split: role for role, split in benchmark.roles.items()}
    hashes = benchmark.sha256()
    rows = [
        (
            s,
            len(items),
            roles.get(s, ""),
            "yes" if s in benchmark.labelled_splits() else "no",
            hashes[s][:12],
        )
        for s, items in benchmark.splits.items()
    ]
    columns = ("split", "items", "role", "labelled", "sha256")
    parts.append(_limited_table("splits", columns, rows, "`hansproof validate` names them all"))
    for alias, splits in benchmark.aliases.items():
        parts.append(Text(reveal_hidden(f"{alias} = {' + '.join(splits)}")))
    for split, items in benchmark.splits.items():
        for item in items[:items_per_split]:
            parts.append(Text(reveal_hidden(f"\n{split} {item.id}"), "bold"))
            parts.extend(Text(reveal_hidden(f"  {n}: {text}")) for n, text in item.fields.items())
            parts.extend(
                Text(f"  {'→' if i == item.answer else ' '} {i}. {reveal_hidden(choice)}")
                for i, choice in enumerate(item.choices)
            )
    return Group(*parts)


def diff_view(diff: AuditDiff) -> RenderableType:
    """Verdicts, numbers and flags that changed."""
    parts: list[RenderableType] = [
        Text(f"{reveal_hidden(diff.old)} → {reveal_hidden(diff.new)}", "bold")
    ]
    if diff.same_items:
        parts.append(Text("the items are the same in both"))
    parts.append(
        _limited_table("items", ("split", "old", "new"), [(s, *n) for s, n in diff.sizes.items()])
    )
    verdicts = [(v.probe, v.old, v.new) for v in diff.verdicts]
    parts.append(_limited_table("verdicts", ("probe", "old", "new"), verdicts))
    changes = [
        (f"{c.probe}: {c.name}", format_estimate(c.old), format_estimate(c.new))
        for c in diff.estimates
    ]
    if changes:
        parts.append(_limited_table("numbers that changed", ("estimate", "old", "new"), changes))
    for label, flags in (("gone", diff.removed), ("new", diff.added)):
        if flags:
            parts.append(_limited_table(f"flags {label}", ("flag",), [(flag,) for flag in flags]))
    return Group(*parts)


def _limited_table(
    title: str, columns: tuple[str, ...], rows: Any, hint: str = JSON_HINT
) -> RenderableType:
    """The first rows, and where the others are; names are text, not rich's markup."""
    cells = [[_format_cell(cell) for cell in row] for row in rows[:MAX_ROWS]]
    table = TerminalTable(
        reveal_hidden(title), [reveal_hidden(column) for column in columns], cells
    )
    if len(rows) > MAX_ROWS:
        return Group(table, Text(f"… {len(rows) - MAX_ROWS} more rows: {hint}", "dim"))
    return table


def _format_cell(value: Cell) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else reveal_hidden(str(value))
