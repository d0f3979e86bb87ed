"""Finds the columns of questions, choices, answers and ids by their names, in any spelling.

`Option A`, `option_a` and `optionA` are equal. Names that mean different things in different files
are left out: such a file is refused, and the user names its columns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

FIELD_NAMES = {
    **dict.fromkeys(("stem", "questiontext", "questionstem", "problem", "q"), "question"),
    **{
        name: name
        for name in (
            *("context", "passage", "premise", "goal", "sentence", "prompt", "query", "question"),
            *("article", "paragraph", "story", "scenario", "background", "ctx", "continuation"),
            *("input", "inputs", "sent1", "sent2"),
        )
    },
}
LAST_FIELD_NAMES = ("text", "body")  # of a question, where no other column can be
LIST_NAMES = (
    *("choices", "options", "endings", "candidates", "alternatives", "answerchoices"),
    *("answeroptions", "possibleanswers", "contextoptions"),
)
# one column per choice: followed by a letter or a number
CHOICE_STEMS = (
    *("", "option", "opt", "op", "choice", "answer", "ans", "ending", "sol", "solution", "a"),
    *("alternative", "alt", "candidate", "answerchoice", "answeroption", "possibleanswer", "hyp"),
    *("hypothesis", "warrant"),
)
WRONG_STEMS = (
    *("distractor", "incorrect", "incorrectanswer", "wrong", "wronganswer", "incorrectoption"),
    *("wrongoption", "incorrectchoice", "falseanswer"),
)
WRONG_LISTS = tuple(f"{stem}s" for stem in WRONG_STEMS)
RIGHT_NAMES = (
    *("bestanswer", "correctanswer", "rightanswer", "correctoption", "correctchoice"),
    *("correctresponse", "correct", "answer"),
)
ANSWER_NAMES = (
    *("answerkey", "answer", "correct", "gold", "correctanswer", "correctoption", "correctchoice"),
    *("rightanswer", "answerindex", "answeridx", "correctindex", "correctanswerindex"),
    *("correctidx", "goldindex", "goldidx", "goldanswer", "goldlabel", "correctlabel", "cop"),
    *("correctoptionid", "correctanswerid", "correctchoiceid", "answerid", "correctid"),
    *("correctletter", "answerletter", "correctresponse", "rightchoice", "ans", "key"),
)
WEAK_ANSWER_NAMES = ("target", "label")  # elsewhere these may say something else of an item
ID_NAMES = ("id", "qid", "questionid", "itemid", "exampleid", "recordid", "uid")
GROUP_NAME = "group"
MAX_SERIES = 26
_REMARK = re.compile(r"\s+[-–—:]\s|\s*\(")


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """The columns that may have each role; several where names alone do not decide."""

    fields: dict[str, str]  # column -> name of the field
    choices: tuple[tuple[str, ...], ...]  # each: one column with a list, or one column per choice
    right: str | None  # the text of the right choice, where the others have columns of their own
    wrong: tuple[str, ...]  # one column with a list, or one column per wrong choice
    answers: tuple[str, ...]  # the most telling names first
    weak_answers: tuple[str, ...]
    id: str | None


def normalise_name(name: str) -> str:
    """Normalise a column name, so that `item_id` and `Item ID` are equal."""
    return "".join(char for char in name.lower() if char.isalnum())


def known_field_name(column: str) -> str:
    """Return the name of the field that a column is known for, or else the name of the column."""
    name = normalise_name(column)
    return "question" if name in LAST_FIELD_NAMES else FIELD_NAMES.get(name, column)


def find_roles(columns: Collection[str]) -> ColumnRoles:
    """Find the columns of every role by their names.

    `Answer 1 - max 75 characters` and `Correct answer(s)` are recognised by the text before the
    remark, if that distinguishes all columns.
    """
    short_names = {_cut_remark(column): column for column in columns}
    has_remarks = any(short != column for short, column in short_names.items())
    if has_remarks and len(short_names) == len(columns):
        return _rename_roles(_find_plain_roles(list(short_names)), short_names)
    return _find_plain_roles(columns)


def _cut_remark(name: str) -> str:
    return _REMARK.split(name, maxsplit=1)[0] or name


def _rename_roles(roles: ColumnRoles, columns: dict[str, str]) -> ColumnRoles:
    """Replace short names by those of the file."""

    def rename(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(columns[name] for name in names)

    return ColumnRoles(
        {columns[column]: name for column, name in roles.fields.items()},
        tuple(map(rename, roles.choices)),
        None if roles.right is None else columns[roles.right],
        rename(roles.wrong),
        rename(roles.answers),
        rename(roles.weak_answers),
        None if roles.id is None else columns[roles.id],
    )


def _find_plain_roles(columns: Collection[str]) -> ColumnRoles:
    lists = [(column,) for column in find_all(columns, LIST_NAMES)]
    wrong = find_series(columns, WRONG_STEMS) or [
        (column,) for column in find_all(columns, WRONG_LISTS)
    ]
    right = find_all(columns, RIGHT_NAMES)
    fields = {
        column: FIELD_NAMES[normalise_name(column)]
        for column in columns
        if normalise_name(column) in FIELD_NAMES
    } or dict.fromkeys(find_all(columns, LAST_FIELD_NAMES)[:1], "question")
    return ColumnRoles(
        fields,
        (*lists, *find_series(columns, CHOICE_STEMS)),
        right[0] if right and len(wrong) == 1 else None,
        wrong[0] if right and len(wrong) == 1 else (),
        tuple(find_all(columns, ANSWER_NAMES)),
        tuple(find_all(columns, WEAK_ANSWER_NAMES)),
        next(iter(find_all(columns, ID_NAMES)), None),
    )


def find_all(columns: Iterable[str], names: Sequence[str]) -> list[str]:
    """Find the columns with any of these names, in the order of the names."""
    normal_names = {normalise_name(name): rank for rank, name in reversed([*enumerate(names)])}
    matching = [column for column in columns if normalise_name(column) in normal_names]
    return sorted(matching, key=lambda column: normal_names[normalise_name(column)])


def find_series(columns: Collection[str], stems: Sequence[str]) -> list[tuple[str, ...]]:
    """Find columns with the same stem, numbered from 0 or 1 or lettered from A, without gaps."""
    normal_names = {normalise_name(column): column for column in columns}
    series = []
    for stem in map(normalise_name, stems):
        for first in ("a", "0", "1") if stem else ("a",):  # numbers alone are not names
            run = _collect_run(normal_names, stem, first)
            if len(run) > 1 and not (first == "1" and f"{stem}0" in normal_names):
                series.append(tuple(run))
    return series


def _collect_run(normal_names: dict[str, str], stem: str, first: str) -> list[str]:
    """Collect the columns of a series; none if the series goes on after a gap."""
    endings = [
        chr(ord("a") + i) if first == "a" else str(int(first) + i) for i in range(MAX_SERIES)
    ]
    are_present = [f"{stem}{ending}" in normal_names for ending in endings]
    size = are_present.index(False) if False in are_present else MAX_SERIES
    if any(are_present[size + 1 : size + 3]):
        return []
    return [normal_names[f"{stem}{ending}"] for ending in endings[:size]]
