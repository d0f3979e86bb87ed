"""Decides how the answers of a benchmark are read, over all its files together.

A file may define its reading: by the keys of its choices, by a known schema, or by hansproof's own
format. All other files are read in one way, and where none of their answers shows whether numbers
count from 0 or from 1, the user has to say it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import BadInput
from ..types import ReadingNote
from .answers import (
    RawAnswer,
    Reading,
    find_ambiguity,
    find_readings,
    name_keys,
    read_answers,
    unreadable_error,
    whole_number,
)
from .location import truncate

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_DESCRIPTIONS: dict[Reading, str] = {
    "keys": "the labels of the choices",
    "letters": "letters",
    "text": "the texts of the choices",
    "0": "numbers that count from 0",
    "1": "numbers that count from 1",
}


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """The answers of one file, and how they are read if the file or the user defines it."""

    raw_answers: Sequence[RawAnswer]
    reading: Reading | None = None

    @property
    def labelled_answers(self) -> list[RawAnswer]:
        """The answers that are not missing."""
        return [raw for raw in self.raw_answers if raw.answer is not None]


def choose_readings(columns: Sequence[AnswerColumn]) -> list[Reading]:
    """Choose how the answers of each file are read."""
    readings = {i: column.reading or _own_keys(column) for i, column in enumerate(columns)}
    open_columns = {
        i: columns[i].labelled_answers for i, reading in readings.items() if reading is None
    }
    for group in _group_columns(open_columns):
        reading = _choose_reading([raw for i in group for raw in open_columns[i]])
        readings.update(dict.fromkeys(group, reading))
    return [reading for reading in readings.values() if reading is not None]


def describe_readings(
    columns: dict[str, AnswerColumn], readings: Sequence[Reading]
) -> tuple[ReadingNote, ...]:
    """Say in words how the answers of each split were read, with one example for each way."""
    splits: dict[Reading, list[str]] = {}
    for split, reading in zip(columns, readings, strict=True):
        if columns[split].labelled_answers:
            splits.setdefault(reading, []).append(split)
    notes = []
    for reading, names in splits.items():
        subject = f"answers of {', '.join(names)}" if len(splits) > 1 else "answers"
        example = _format_example(columns[names[0]].labelled_answers[0], reading)
        description = _DESCRIPTIONS[reading]
        brief = f"{reading} = the first choice" if reading in ("0", "1") else description
        text = f"{subject}: {description}; for example, {example}"
        notes.append(ReadingNote(text, brief, "answers"))
    return tuple(notes)


def _own_keys(column: AnswerColumn) -> Reading | None:
    """Return `keys` if the choices of a file have keys that all its answers name."""
    return "keys" if name_keys(column.labelled_answers) else None


def _group_columns(columns: dict[int, list[RawAnswer]]) -> Iterable[Sequence[int]]:
    """Group files that must be read in one way: all, or else those whose answers are numbers."""
    if not columns or find_readings([raw for answers in columns.values() for raw in answers]):
        return [list(columns)] if columns else []
    numeric = [i for i, answers in columns.items() if all(map(_is_whole, answers))]
    textual = [i for i in columns if i not in numeric]
    is_uniform = bool(find_readings([raw for i in textual for raw in columns[i]]))
    return filter(None, [numeric, *([textual] if is_uniform else [[i] for i in textual])])


def _is_whole(raw: RawAnswer) -> bool:
    return whole_number(raw) is not None


def _choose_reading(raw_answers: Sequence[RawAnswer]) -> Reading:
    """Choose the only reading that fits all answers; raise if there are several or none."""
    readings = find_readings(raw_answers)
    if not readings:
        raise _contradiction_error(raw_answers) or unreadable_error(raw_answers)
    if len(readings) > 1:
        raise _ambiguity_error(raw_answers, readings)
    return readings[0]


def _ambiguity_error(raw_answers: Sequence[RawAnswer], readings: Sequence[Reading]) -> BadInput:
    raw, meanings = find_ambiguity(raw_answers, readings)
    alternatives = " or ".join(
        f"the {_format_ordinal(index)} choice (--answers-from {reading})"
        for index, reading in meanings.items()
    )
    answer = raw.answer if _is_whole(raw) else repr(raw.answer)
    message = (
        f"{answer} may be {alternatives}, and the data do not show which: add one of these flags"
    )
    return raw.location.error(raw.column, message)


def _contradiction_error(raw_answers: Sequence[RawAnswer]) -> BadInput | None:
    """Build an error if one answer counts from 0 and another from 1, which names both."""
    zero = next((raw for raw in raw_answers if whole_number(raw) == 0), None)
    last = next((raw for raw in raw_answers if whole_number(raw) == len(raw.choices.texts)), None)
    if zero is None or last is None:
        return None
    message = (
        f"{last.answer} of {len(last.choices.texts)} choices counts from 1, but {zero.answer} in "
        f"{zero.location.file}:{zero.location.line} counts from 0: number all answers in the same "
        "way"
    )
    return last.location.error(last.column, message)


def _format_example(raw: RawAnswer, reading: Reading) -> str:
    """Say which choice an answer is."""
    index = read_answers([raw], reading)[0] or 0
    answer, choice = truncate(str(raw.answer)), truncate(raw.choices.texts[index].strip())
    place = f"{os.path.basename(raw.location.file)} line {raw.location.line}"
    if reading == "text":
        return f'"{answer}" in {place} is the {_format_ordinal(index)} choice'
    return f'{answer} in {place} is the {_format_ordinal(index)} choice, "{choice}"'


def _format_ordinal(index: int) -> str:
    """Write the place of a choice in words, or in digits from the 11th on."""
    number = index + 1
    if number <= len(_ORDINALS):
        return _ORDINALS[index]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"
