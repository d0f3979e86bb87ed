"""Results, benchmarks and differences for the terminal; data to stdout."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..diff import Diff
from ..types import Account, Benchmark, Cell, Result
from .marked import bracketed
from .numbers import against_chance
from .rows import Rows
from .text import STYLES
from .visible import visible

ROWS = 15  # of a table that the terminal shows
IN_JSON = "--json has them all"


def print_out(view: RenderableType, whole: bool = False) -> None:
    """Print for a person; `whole`: lines stay whole, and the terminal breaks them."""
    Console(highlight=False, soft_wrap=whole or not sys.stdout.isatty()).print(view)


def print_json(value: Any) -> None:
    """Print for a program: one line of JSON."""
    import msgspec

    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")


def print_result(result: Result, as_json: bool) -> None:
    """Print what a probe found, for whoever asked."""
    if as_json:
        print_json(result)
    else:
        print_out(result_view(result))


def result_view(result: Result) -> RenderableType:
    """The finding, its numbers, and the first rows of every table."""
    said = Text.assemble((result.verdict, STYLES[result.verdict]), "  ", visible(result.sentence))
    return Group(said, *_numbers(result))


def account_view(account: Account) -> RenderableType:
    """What an edit did."""
    return Group(Text(visible(account.sentence)), *_numbers(account))


def _numbers(found: Result | Account) -> list[RenderableType]:
    """Estimates, the first rows of every table, notes."""
    parts: list[RenderableType] = []
    if found.estimates:
        rows = [(e.name, against_chance(e)) for e in found.estimates]
        parts.append(_table("estimates", ("name", "value"), rows))
    for name, table in ((name, bracketed(table)) for name, table in found.tables.items()):
        if not table.rows:
            continue
        # flagged rows first: they are what one looks for
        ordered = sorted(table.rows, key=lambda row: row[-1] in ("", None))
        parts.append(_table(name, table.columns, ordered))
    parts.extend(Text(f"note: {visible(note)}", "dim") for note in found.notes)
    return parts


def benchmark_view(benchmark: Benchmark, most: int) -> RenderableType:
    """Card, splits, and a few items of each split."""
    card = benchmark.card
    parts: list[RenderableType] = [
        Text.assemble((visible(card.title or benchmark.name), "bold")),
        *(
            Text(f"{label}: {visible(value)}")
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
            "yes" if s in benchmark.labelled() else "no",
            hashes[s][:12],
        )
        for s, items in benchmark.splits.items()
    ]
    columns = ("split", "items", "role", "labelled", "sha256")
    parts.append(_table("splits", columns, rows, "`hansproof validate` names them all"))
    for alias, splits in benchmark.aliases.items():
        parts.append(Text(visible(f"{alias} = {' + '.join(splits)}")))
    for split, items in benchmark.splits.items():
        for item in items[:most]:
            parts.append(Text(visible(f"\n{split} {item.id}"), "bold"))
            parts.extend(Text(visible(f"  {n}: {text}")) for n, text in item.fields.items())
            parts.extend(
                Text(f"  {'→' if i == item.answer else ' '} {i}. {visible(choice)}")
                for i, choice in enumerate(item.choices)
            )
    return Group(*parts)


def diff_view(diff: Diff) -> RenderableType:
    """Verdicts, numbers and flags that changed."""
    parts: list[RenderableType] = [Text(f"{visible(diff.old)} → {visible(diff.new)}", "bold")]
    if diff.same_items:
        parts.append(Text("the items are the same in both"))
    parts.append(_table("items", ("split", "old", "new"), [(s, *n) for s, n in diff.sizes.items()]))
    verdicts = [(v.probe, v.old, v.new) for v in diff.verdicts]
    parts.append(_table("verdicts", ("probe", "old", "new"), verdicts))
    changes = [
        (f"{c.probe}: {c.name}", against_chance(c.old), against_chance(c.new))
        for c in diff.estimates
    ]
    if changes:
        parts.append(_table("numbers that changed", ("estimate", "old", "new"), changes))
    for label, flags in (("gone", diff.gone), ("new", diff.come)):
        if flags:
            parts.append(_table(f"flags {label}", ("flag",), [(flag,) for flag in flags]))
    return Group(*parts)


def _table(
    title: str, columns: tuple[str, ...], rows: Any, elsewhere: str = IN_JSON
) -> RenderableType:
    """The first rows, and where the others are; names are text, not rich's markup."""
    cells = [[_cell(cell) for cell in row] for row in rows[:ROWS]]
    shown = Rows(visible(title), [visible(column) for column in columns], cells)
    if len(rows) > ROWS:
        return Group(shown, Text(f"… {len(rows) - ROWS} more rows: {elsewhere}", "dim"))
    return shown


def _cell(value: Cell) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else visible(str(value))
