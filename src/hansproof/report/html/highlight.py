"""Marked and shaded words: spans in a column that belongs to a column of texts.

`before_marks` contains the spans of `before`, and `marks` those of `text`. Spans count code points
and are separated by spaces: `4-9 12-20` are marked, `4-9:0.31 12-20:0.07` shaded by their share.
Spans are untrusted: malformed, out-of-range or overlapping ones are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from ...errors import HansproofError
from ...text.ngrams import find_ngram
from ...text.tokenizers import Tokenizer, get_tokenizer
from ...types import Cell, Result, Table
from .evidence import TextSpans

NgramFinder = Callable[[str, str], TextSpans]  # text, words -> spans of the words

MarkedSpan = tuple[int, int] | tuple[int, int, float]  # start, end, and the share of a shaded span

_SPAN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?::([0-9](?:\.[0-9]{0,20})?(?:e-[0-9]{1,3})?))?")


def ngram_finder(result: Result, subject: str) -> tuple[NgramFinder, tuple[str, ...]]:
    """Return a finder of n-grams that uses the tokenizer of a result, and notes.

    Without that tokenizer the finder finds nothing and a note says so, with `subject` as the name
    of what is not marked: the report can still be drawn.
    """
    tokenizer, notes = load_tokenizer(result, subject)
    return (lambda text, words: find_ngram(tokenizer, text, words)), notes


def load_tokenizer(result: Result, subject: str) -> tuple[Tokenizer, tuple[str, ...]]:
    """Return the tokenizer of a result, and notes.

    If it cannot be loaded, this is a tokenizer that finds no tokens, and a note says that `subject`
    are not marked.
    """
    try:
        base_tokenizer = get_tokenizer(str(result.params["tokenizer"]))
    except HansproofError as error:
        note = f"{subject} are not marked in the items: {error}."
        return Tokenizer("none", lambda text: []), (note,)
    # A text is searched for many words, but tokenized only once.
    return replace(base_tokenizer, split=cache(base_tokenizer.split)), ()


def marked_columns(table: Table) -> dict[str, str]:
    """Map columns of texts to the columns that contain their spans."""
    marks_names = {name: "marks" if name == "text" else f"{name}_marks" for name in table.columns}
    return {
        name: marks
        for name, marks in marks_names.items()
        if table.columns.count(name) == table.columns.count(marks) == 1
        and _is_text_column(table, name)
        and _is_text_column(table, marks)
    }


def parse_spans(text: Cell, marks: Cell) -> list[MarkedSpan]:
    """Parse the spans of a text, sorted and without overlaps."""
    if not isinstance(text, str) or not isinstance(marks, str):
        return []
    accepted: list[MarkedSpan] = []
    for span in sorted(_read_spans(marks), key=lambda span: span[:2]):
        if span[0] >= (accepted[-1][1] if accepted else 0) and span[0] < span[1] <= len(text):
            accepted.append(span)
    return accepted


def bracket_marks(table: Table) -> Table:
    """Replace columns of spans by brackets around the marked words."""
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
    """Put marked words in brackets; shaded words stay as they are, since shares would be lost."""
    if not isinstance(text, str):
        return text
    parts, cursor = [], 0
    for start, end in (span for span in parse_spans(text, marks) if len(span) == 2):
        parts += [text[cursor:start], "[", text[start:end], "]"]
        cursor = end
    return "".join([*parts, text[cursor:]])
