"""Chooses the column of answers where several columns could contain them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .._infra.join_names import join_names
from .answers import RawAnswer, find_readings, read_answers
from .column_names import WEAK_ANSWER_NAMES, find_all, normalise_name
from .item_schema import UnknownShape
from .location import truncate

MIN_SHARE = 0.5  # of the items; a column with fewer answers holds corrections or remarks

MIN_MARKS = 6  # items: fewer may have their answers among the first two choices by chance
SAMPLE = 200  # answers that show how they are not written

Indices = list[int | None]


def choose_column(candidates: Mapping[str, Sequence[RawAnswer]], file: str) -> str:
    """Return the column whose answers count: the first of those that agree with each other.

    Columns in which most answers are missing, or are not choices, are left out. Raises if two
    columns name different choices.
    """
    filled = {
        column: answers
        for column, answers in candidates.items()
        if _share_of_labels(answers) >= MIN_SHARE
    }
    weak = find_all(filled, WEAK_ANSWER_NAMES)
    if len(weak) < len(filled):  # elsewhere such a column may say something else of an item
        filled = {column: answers for column, answers in filled.items() if column not in weak}
    readings = {column: list_readings(answers) for column, answers in filled.items()}
    readable = {column: indices for column, indices in readings.items() if indices}
    if not readable:
        return next(iter(readings), next(iter(candidates)))
    # the surest first: letters have one reading where numbers may count from 0 or from 1
    first, *further_columns = sorted(readable, key=lambda column: len(readable[column]))
    for column in further_columns:
        if not any(
            _agree(indices, further) for indices in readable[first] for further in readable[column]
        ):
            row = _first_difference(readable[first][0], readable[column][0])
            line = candidates[first][row].location.line
            names = join_names([truncate(first), truncate(column)])
            message = (
                f"{names} disagree about the right choice: name the right column with --answer"
            )
            raise UnknownShape(file, message, line=line)
    return first


def name_columns(answers: Sequence[RawAnswer], columns: Sequence[str]) -> list[RawAnswer]:
    """Give choices the names of their columns as keys, if answers are such names: `Option B`."""
    labelled = [raw for raw in answers if raw.answer is not None]
    names = [normalise_name(column) for column in columns]
    if len(columns) < 2 or not labelled or find_readings(labelled[:SAMPLE]):
        return list(answers)
    if not all(normalise_name(str(raw.answer)) in names for raw in labelled):
        return list(answers)
    return [
        replace(raw, choices=replace(raw.choices, keys=_keys_for(raw, columns))) for raw in answers
    ]


def _keys_for(raw: RawAnswer, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns of an item's choices, the right one as the answer spells it.

    Errors then show the answer as it is in the file.
    """
    answer = str(raw.answer)
    name = normalise_name(answer)
    used = columns[: len(raw.choices.texts)]
    return tuple(answer if normalise_name(column) == name else column for column in used)


def check_marks(answers: Sequence[RawAnswer]) -> None:
    """Refuse answers that are all 0 or 1 where items have more choices: probably truth values."""
    values = {str(raw.answer) for raw in answers}
    if len(answers) < MIN_MARKS or values != {"0", "1"}:
        return
    if min(len(raw.choices.texts) for raw in answers) > 2:
        raw = answers[0]
        message = (
            "is 0 or 1 in every item, although items have more than two choices, so it may be a "
            "truth value: if it is the answer, name it with --answer"
        )
        location = raw.location
        raise UnknownShape(location.file, message, line=location.line, field=truncate(raw.column))


def list_readings(answers: Sequence[RawAnswer]) -> list[Indices]:
    """Return the choices that the answers are, for every way in which all of them can be read."""
    labelled = [raw for raw in answers if raw.answer is not None]
    return [read_answers(answers, reading) for reading in find_readings(labelled)]


def _share_of_labels(answers: Sequence[RawAnswer]) -> float:
    return sum(raw.answer is not None for raw in answers) / len(answers)


def _agree(first: Indices, second: Indices) -> bool:
    """Check that two columns name the same choices wherever both have an answer."""
    pairs = zip(first, second, strict=True)
    return all(None in pair or pair[0] == pair[1] for pair in pairs)


def _first_difference(first: Indices, second: Indices) -> int:
    pairs = enumerate(zip(first, second, strict=True))
    return next(row for row, pair in pairs if None not in pair and pair[0] != pair[1])
