"""Recognises rows of a table that are items, in a file without a header, such as MMLU's.

A row is the question, two or more choices and the answer, in this order; an id may come first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .answers import LETTER, NUMBER
from .column_names import find_roles

SAMPLE_ROWS = 200  # rows that show whether there is a header
MIN_WORDS = 3  # of a question, on average; names and dates have fewer
QUESTION_SHARE = 0.8  # of the texts end with a question mark
MIN_CHARACTERS = 6  # of a question in a script without spaces

_ID = re.compile(r"[\w./-]{1,40}")


@dataclass(frozen=True, slots=True)
class RowLayout:
    """The columns of a table without a header, by number from 0."""

    id: int | None
    question: int
    choices: tuple[int, ...]
    answer: int


def is_headerless(rows: Sequence[Sequence[object]]) -> bool:
    """Tell whether the first row of a table is an item, as the others are."""
    if _is_header(rows[0]):
        return False
    layout = find_layout(rows)
    if layout is None or len(rows) > 1:
        return layout is not None
    answer = str(rows[0][layout.answer]).strip()
    return answer.isupper() and bool(LETTER.fullmatch(answer))


def find_layout(rows: Sequence[Sequence[object]]) -> RowLayout | None:
    """Find the columns of rows that are items; None if they do not look like items."""
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        return None
    cells = [["" if cell is None else str(cell).strip() for cell in row] for row in rows]
    has_id = width > 4 and _are_ids([row[0] for row in cells])
    for question in (1, 0) if has_id else (0,):
        layout = RowLayout(
            0 if question else None, question, tuple(range(question + 1, width - 1)), width - 1
        )
        if len(layout.choices) > 1 and _fits(cells, layout):
            return layout
    return None


def _is_header(row: Sequence[object]) -> bool:
    """Tell whether the cells of a row name two of a question, its choices and its answer.

    A single name may be the text of a choice: `gold` is one of four metals.
    """
    roles = find_roles([str(cell) for cell in row if cell not in (None, "")])
    answers = [column for column in roles.answers + roles.weak_answers if len(column) > 2]
    return sum(map(bool, (roles.fields, roles.choices or roles.wrong, answers))) > 1


def _are_ids(cells: Sequence[str]) -> bool:
    return len(set(cells)) == len(cells) and all(map(_ID.fullmatch, cells))


def _fits(rows: Sequence[Sequence[str]], layout: RowLayout) -> bool:
    """Check that every row has a question, two choices and an answer that is one of them."""
    questions = [row[layout.question] for row in rows]
    if not _look_like_questions(questions):
        return False
    if any(_is_label(question) for question in questions) or len(set(questions)) < len(rows) / 2:
        return False
    return all(
        all(row[i] for i in layout.choices[:2])
        and _names_choice(row[layout.answer], [row[i] for i in layout.choices])
        for row in rows
    )


def _look_like_questions(texts: Sequence[str]) -> bool:
    """Tell whether texts have the words, or the characters, of sentences; the first one too."""
    n_questions = sum(text.endswith(("?", "？")) for text in texts)
    if n_questions >= QUESTION_SHARE * len(texts) and texts[0].endswith(("?", "？")):
        return True
    if all(text.isascii() for text in texts):
        n_words = [len(text.split()) for text in texts]
        return n_words[0] > 1 and sum(n_words) >= MIN_WORDS * len(texts)
    return sum(map(len, texts)) >= MIN_CHARACTERS * len(texts) and len(texts[0]) >= MIN_CHARACTERS


def _is_label(text: str) -> bool:
    return not text or bool(LETTER.fullmatch(text) or NUMBER.fullmatch(text))


def _names_choice(answer: str, choices: Sequence[str]) -> bool:
    """Check whether an answer is a letter, a number or the text of a choice."""
    if answer in choices:
        return bool(answer)
    letter = LETTER.fullmatch(answer)
    if letter:
        return ord(letter[1].upper()) - ord("A") < len(choices)
    return bool(NUMBER.fullmatch(answer)) and 0 <= float(answer) <= len(choices)
