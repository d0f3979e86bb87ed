"""Says what a file that was refused contains, and which command would probably read it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Sequence

from .._infra.flag_names import format_load
from .answers import LETTER, NUMBER
from .column_names import find_all, find_roles
from .item_schema import NO_FLAGS, UnknownShape
from .location import Location, Record, format_columns, truncate

CELL_LIMIT = 30  # characters of a cell that an example shows
MAX_COMMAND = 1000  # characters
SAMPLE_ROWS = 100
RIGHT_NAMES = ("chosen", "answers")  # columns that may be right answers, if no other can be


def add_help(error: UnknownShape, rows: Sequence[tuple[Location, Record]]) -> UnknownShape:
    """Add notes to an error: the columns, an example row and the flags to try."""
    location = rows[0][0]
    records = _number_cells([record for _, record in rows[:SAMPLE_ROWS]])
    columns = list(dict.fromkeys(name for record in records for name in record))
    error.add_note(f"columns: {format_columns(columns)}")
    cells = ", ".join(
        f"{truncate(column)} = {_shorten(value)}" for column, value in list(records[0].items())[:12]
    )
    is_numbered = records[0] is not rows[0][1]
    error.add_note(f"line {1 if is_numbered else location.line}: {cells}")
    if error.flags == NO_FLAGS:
        return error
    flags = error.flags or _guess_flags(columns, records)
    command = f"hansproof validate {shlex.quote(location.file)} {flags}"
    if not os.path.exists(location.file):  # items in memory
        command = format_load("data", flags)
    if command.isprintable() and len(command) <= MAX_COMMAND:
        error.add_note(f"try: {command}")
    return error


def _number_cells(records: list[Record]) -> list[Record]:
    """Number the columns of a table whose header looks like an item, and make that a row."""
    header = list(records[0])
    n_questions = sum(name.rstrip().endswith(("?", "？")) for name in header)
    if n_questions != 1 or any(list(record) != header for record in records):
        return records
    rows: list[list[object]] = [[*header], *(list(record.values()) for record in records)]
    return [{str(i): cell for i, cell in enumerate(row, 1)} for row in rows]


def _shorten(value: object) -> str:
    text = " ".join(str(value).split())
    short = text if len(text) <= CELL_LIMIT else text[: CELL_LIMIT - 3] + "..."
    return truncate(f'"{short}"' if isinstance(value, str) else short)


def _guess_flags(columns: Sequence[str], records: Sequence[Record]) -> str:
    """Guess the flags that name the columns; COLUMN stands for those that cannot be guessed."""
    roles = find_roles(columns)
    answers = [*roles.answers, *roles.weak_answers]
    answers = answers or find_all(columns, RIGHT_NAMES) or _answer_columns(columns, records)
    fields = list(roles.fields) or _question_columns(columns, records, answers)
    choices = list(roles.choices[0]) if roles.choices else []
    if not choices:
        choices = _choice_columns(columns, records, {*fields, roles.id}, answers[:1])
    if roles.choices:  # a choice is no key: suggesting one would make that choice always right
        answers = [name for name in answers if name not in choices]
    is_numbered = list(columns) == [str(i + 1) for i in range(len(columns))]
    flags = ["--no-header"] if is_numbered else []
    for flag, names in (
        ("--field", fields[:1]),
        ("--choices", choices if len(choices) < 12 else []),
        ("--answer", answers[:1]),
    ):
        flags += [f"{flag} {shlex.quote(name)}" for name in names] or [f"{flag} COLUMN"]
    return " ".join(flags)


def _choice_columns(
    columns: Sequence[str],
    records: Sequence[Record],
    used: Collection[str | None],
    answers: Sequence[str],
) -> list[str]:
    """Return columns of texts that are neither used nor mostly the same, such as topics."""
    texts = [name for name in _text_columns(columns, records) if name not in used]
    # what stands before the question is rather an id or a topic
    places = [columns.index(name) for name in used if name in columns]
    later_texts = [name for name in texts if places and columns.index(name) > min(places)]
    texts = later_texts if len(later_texts) > 1 else texts
    is_right_text = any(name in find_all(columns, RIGHT_NAMES[:1]) for name in answers)
    texts = [name for name in texts if name not in answers or is_right_text]
    varied = [
        name for name in texts if 2 * len(set(_cells(name, records))) > len(_cells(name, records))
    ]
    return varied if len(varied) > 1 else texts


def _cells(column: str, records: Sequence[Record]) -> list[str]:
    return [str(record[column]).strip() for record in records if record.get(column) is not None]


def _answer_columns(columns: Sequence[str], records: Sequence[Record]) -> list[str]:
    """Return columns in which every cell is a letter or a number, the last of them first."""
    matching = [
        column
        for column in columns
        if (cells := _cells(column, records))
        and len(set(cells)) <= 10
        and all(LETTER.fullmatch(cell) or NUMBER.fullmatch(cell) for cell in cells)
    ]
    return matching[::-1]


def _text_columns(columns: Sequence[str], records: Sequence[Record]) -> list[str]:
    """Return columns of texts and lists, which may be choices."""
    return [
        column
        for column in columns
        if all(isinstance(record.get(column), str | list | dict) for record in records)
        and column not in _answer_columns([column], records)
    ]


def _question_columns(
    columns: Sequence[str], records: Sequence[Record], answers: Sequence[str]
) -> list[str]:
    """Return the column with the longest texts."""
    texts = [
        column
        for column in _text_columns(columns, records)
        if column not in answers and all(isinstance(record[column], str) for record in records)
    ]
    lengths = {column: sum(map(len, _cells(column, records))) for column in texts}
    return [max(lengths, key=lambda column: lengths[column])] if lengths else []
