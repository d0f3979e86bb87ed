"""Texts with words marked or shaded: beside the column of a text, a column of spans.

`before_marks` says what to mark in `before`, and `marks` what to mark in `text`. Spans count code
points and are parted by blanks: `4-9 12-20` are marked, `4-9:0.31 12-20:0.07` shaded by their
share. They may be somebody else's: a span that is none, that leaves the text or reaches into the
one before it is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Cell, Table

Span = tuple[int, int] | tuple[int, int, float]  # start, end, and the share of a shaded one

_SPAN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?::([0-9](?:\.[0-9]{0,20})?(?:e-[0-9]{1,3})?))?")


def marked(table: Table) -> dict[str, str]:
    """The columns of texts that have a column of spans beside them, with its name."""
    beside = {name: "marks" if name == "text" else f"{name}_marks" for name in table.columns}
    return {
        name: marks
        for name, marks in beside.items()
        if table.columns.count(name) == table.columns.count(marks) == 1
        and _texts(table, name)
        and _texts(table, marks)
    }


def spans(text: Cell, marks: Cell) -> list[Span]:
    """What to mark in a text, from left to right, no two of them overlapping."""
    if not isinstance(text, str) or not isinstance(marks, str):
        return []
    kept: list[Span] = []
    for span in sorted(_read(marks), key=lambda span: span[:2]):
        if span[0] >= (kept[-1][1] if kept else 0) and span[0] < span[1] <= len(text):
            kept.append(span)
    return kept


def bracketed(table: Table) -> Table:
    """The same without its columns of spans: marked words stand in brackets."""
    beside = {
        table.columns.index(name): table.columns.index(marks)
        for name, marks in marked(table).items()
    }
    shown = [at for at in range(len(table.columns)) if at not in beside.values()]
    return Table(
        tuple(table.columns[at] for at in shown),
        tuple(
            tuple(
                _in_brackets(row[at], row[beside[at]]) if at in beside else row[at] for at in shown
            )
            for row in table.rows
        ),
    )


def _texts(table: Table, name: str) -> bool:
    at = table.columns.index(name)
    return all(row[at] is None or isinstance(row[at], str) for row in table.rows)


def _read(marks: str) -> Iterator[Span]:
    for found in map(_SPAN.fullmatch, marks.split()):
        if found is None:
            continue
        start, end, share = int(found[1]), int(found[2]), found[3]
        if share is None:
            yield start, end
        elif float(share) <= 1:
            yield start, end, float(share)


def _in_brackets(text: Cell, marks: Cell) -> Cell:
    """Of shaded words none is: their shares would be lost."""
    if not isinstance(text, str):
        return text
    parts, cursor = [], 0
    for start, end in (span for span in spans(text, marks) if len(span) == 2):
        parts += [text[cursor:start], "[", text[start:end], "]"]
        cursor = end
    return "".join([*parts, text[cursor:]])
