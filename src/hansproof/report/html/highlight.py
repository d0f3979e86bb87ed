"""Texts with words marked or shaded: beside the column of a text, a column of spans.

`before_marks` says what to mark in `before`, and `marks` what to mark in `text`. Spans count code
points and are parted by blanks: `4-9 12-20` are marked, `4-9:0.31 12-20:0.07` shaded by their
share. They may be somebody else's: a span that is none, that leaves the text or reaches into the
one before it is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Cell, Table

MarkedSpan = tuple[int, int] | tuple[int, int, float]  # start, end, and the share of a shaded one

_SPAN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?::([0-9](?:\.[0-9]{0,20})?(?:e-[0-9]{1,3})?))?")


def marked_columns(table: Table) -> dict[str, str]:
    """The columns of texts that have a column of spans beside them, with its name."""
    marks_names = {name: "marks" if name == "text" else f"{name}_marks" for name in table.columns}
    return {
        name: marks
        for name, marks in marks_names.items()
        if table.columns.count(name) == table.columns.count(marks) == 1
        and _is_text_column(table, name)
        and _is_text_column(table, marks)
    }


def parse_spans(text: Cell, marks: Cell) -> list[MarkedSpan]:
    """What to mark in a text, from left to right, no two of them overlapping."""
    if not isinstance(text, str) or not isinstance(marks, str):
        return []
    accepted: list[MarkedSpan] = []
    for span in sorted(_read_spans(marks), key=lambda span: span[:2]):
        if span[0] >= (accepted[-1][1] if accepted else 0) and span[0] < span[1] <= len(text):
            accepted.append(span)
    return accepted


def bracket_marks(table: Table) -> Table:
    """The same without its columns of spans: marked words stand in brackets."""
    marks_indices = {
        table.columns.index(name): table.columns.index(marks)
        for name, marks in marked_columns(table).items()
    }
    text_indices = [i for i in range(len(table.columns)) if i not in marks_indices.values()]
    return Table(
        tuple(table.columns[i] for i in text_indices),
        tuple(
            tuple(
                _bracket_text(row[i], row[marks_indices[i]]) if i in marks_indices else row[i]
                for i in text_indices
            )
            for row in table.rows
        ),
    )


def _is_text_column(table: Table, name: str) -> bool:
    index = table.columns.index(name)
    return all(row[index] is None or isinstance(row[index], str) for row in table.rows)


def _read_spans(marks: str) -> Iterator[MarkedSpan]:
    for match in map(_SPAN.fullmatch, marks.split()):
        if match is None:
            continue
        start, end, share = int(match[1]), int(match[2]), match[3]
        if share is None:
            yield start, end
        elif float(share) <= 1:
            yield start, end, float(share)


def _bracket_text(text: Cell, marks: Cell) -> Cell:
    """Of shaded words none is: their shares would be lost."""
    if not isinstance(text, str):
        return text
    parts, cursor = [], 0
    for start, end in (span for span in parse_spans(text, marks) if len(span) == 2):
        parts += [text[cursor:start], "[", text[start:end], "]"]
        cursor = end
    return "".join([*parts, text[cursor:]])
