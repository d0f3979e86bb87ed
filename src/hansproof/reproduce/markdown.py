"""A reproduction as Markdown: for pages that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .outcome import Outcome, Reproduction, Status
from .shown import Shown, tables, text
from .terminal import MARKS, said


def markdown(found: Reproduction) -> str:
    """Its tables, each with what was found in it."""
    return "\n".join(line for table in tables(found) for line in (*_table(table), *_below(table)))


def rerun_markdown(found: Reproduction) -> str:
    """The rows that were run again, and nothing else."""
    lines: list[str] = []
    for table in tables(found):
        again = [line for line in table.lines if any(one.rerun for one in line.cells.values())]
        if again:
            lines += [*_table(replace(table, lines=tuple(again))), ""]
    return "\n".join(lines)


def _table(table: Shown) -> Iterator[str]:
    title = "" if table.name == "Running text" else f": {table.printed.title}"
    yield f"### {table.name.capitalize()}{_plain(title)}\n"
    yield _row([name.replace("_", " ") for name in (*table.labels, *table.columns)])
    yield _row(["---"] * len(table.labels) + ["--:"] * len(table.columns))
    for line in table.lines:
        cells = (_cell(line.cells[c]) if c in line.cells else "" for c in table.columns)
        yield _row([*map(_plain, line.labels), *cells])


def _below(table: Shown) -> Iterator[str]:
    """The tally, what was found, what was read, and why figures are not there."""
    yield f"\n{said(table.counts)}"
    for what in table.findings:
        yield f'\n!!! warning ""\n    {_plain(what)}'
    for what in table.notes:
        yield f"\n{_plain(what)} *(Read, not derived.)*"
    for reason in table.reasons:
        yield f"\nCannot be had: {_plain(reason)}."
    yield ""


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(one: Outcome) -> str:
    """What is printed with its mark; then ours, where it is another; then the re-run."""
    parts = [f"{_plain(text(one.figure.parts, one.figure))} {MARKS[one.status]}".rstrip()]
    if one.ours and one.status not in (Status.EXACT, Status.PREDICTIONS):
        parts.append(f"**{_plain(text(one.ours.parts, one.figure))}**")
    if one.rerun:
        parts.append(f"*{text(one.rerun.parts, one.figure)}*")
    return " ".join(parts)


def _plain(words: str) -> str:
    """What Markdown would take for something else."""
    return words.replace("|", "\\|").replace("<", "&lt;")
