"""Resolves answers to choices: an answer is a key, a letter, a text or a number.

All answers of a file are interpreted in the same way, so that no single item is guessed: `2` is the
third choice if another answer is `0`, but a text if every answer is the text of a choice.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .choices import Choices
from .location import Location, type_name

LETTER = re.compile(r"\(?([A-Za-z])[).:]?")
NUMBER = re.compile(r"-?\d{1,9}(?:\.0)?")


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer as written in the file; None if the item has no answer."""

    location: Location
    column: str
    answer: int | float | str | None  # a float here always has a fraction
    choices: Choices


AnswerReader = Callable[[RawAnswer], int | None]


def parse_answer(
    value: object,
    column: str,
    choices: Choices,
    location: Location,
    first_number: int | None = None,
) -> RawAnswer:
    """Parse the answer of one record; `first_number` as in `answer_indices`."""
    if isinstance(value, list):
        if len(value) > 1:
            raise location.error(column, f"{len(value)} right choices, one is needed")
        value = value[0] if value else None
    if isinstance(value, float) and (math.isnan(value) or value.is_integer()):
        value = None if math.isnan(value) else int(value)
    if isinstance(value, str):
        value = location.require_text(value, column).strip()
    if value in (None, ""):
        return RawAnswer(location, column, None, choices)
    # a fraction can only be the text of a choice, and only if choices are numbers too
    accepted_types = (int, float, str) if choices.has_numbers else (int, str)
    if isinstance(value, bool) or not isinstance(value, accepted_types):
        raise location.error(column, f"is {type_name(value)}, not an index, a letter or a text")
    raw = RawAnswer(location, column, value, choices)
    # -1 means that there is no answer, unless a choice has that key or text
    if value in (-1, "-1") and (first_number is not None or not _names_choice(raw)):
        return replace(raw, answer=None)
    return raw


def _names_choice(raw: RawAnswer) -> bool:
    """Check whether the answer is the key or the text of a choice."""
    return str(raw.answer) in raw.choices.keys or bool(_matching_choices(raw))


def answer_indices(raw_answers: Sequence[RawAnswer], first_number: int | None) -> list[int | None]:
    """Return the index of every answer; `first_number` is that of the first choice, if known."""
    labelled = [raw for raw in raw_answers if raw.answer is not None]
    read_answer = _choose_reader(labelled, first_number)
    return [None if raw.answer is None else read_answer(raw) for raw in raw_answers]


def _choose_reader(raw_answers: Sequence[RawAnswer], first_number: int | None) -> AnswerReader:
    """Choose the interpretation under which every answer of the file is a choice."""
    from_zero, from_one = partial(_index_by_number, 0), partial(_index_by_number, 1)
    readers: list[AnswerReader] = [
        _index_by_key,
        _index_by_letter,
        _index_by_text,
        from_zero,
        from_one,
    ]
    if first_number is not None:
        readers = [partial(_index_by_number, first_number)]
    match_counts = {
        reader: sum(reader(raw) is not None for raw in raw_answers) for reader in readers
    }
    complete_readers = [reader for reader in readers if match_counts[reader] == len(raw_answers)]
    if not complete_readers:
        best_reader = max(readers, key=match_counts.__getitem__)
        raise _mismatch_error(next(raw for raw in raw_answers if best_reader(raw) is None))
    if complete_readers[0] is _index_by_key:  # the file defines its own keys
        return _index_by_key
    if (
        from_zero in complete_readers and from_one in complete_readers
    ):  # prefer counting from 0 if both fit
        complete_readers.remove(from_one)
    for raw in raw_answers:
        meanings = sorted({reader(raw) or 0 for reader in complete_readers})
        if len(meanings) > 1:
            alternatives = " or ".join(str(meaning + 1) for meaning in meanings)
            # if the choices are numbers, an index may be mistaken for one of them again
            still_ambiguous = raw.choices.has_numbers and _whole_number(raw.answer) is not None
            suggestion = "A, B, C" if still_ambiguous else "0, 1, 2"
            message = (
                f"{raw.answer!r} may mean choice {alternatives}: "
                f"write the answers as {suggestion}, ..."
            )
            raise raw.location.error(raw.column, message)
    return complete_readers[0]


def _index_by_key(raw: RawAnswer) -> int | None:
    keys = raw.choices.keys
    return keys.index(str(raw.answer)) if keys.count(str(raw.answer)) == 1 else None


def _index_by_letter(raw: RawAnswer) -> int | None:
    match = LETTER.fullmatch(raw.answer) if isinstance(raw.answer, str) else None
    return _index_in_range(ord(match[1].upper()) - ord("A"), raw) if match else None


def _index_by_text(raw: RawAnswer) -> int | None:
    matching = _matching_choices(raw)
    return matching[0] if len(matching) == 1 else None


def _matching_choices(raw: RawAnswer) -> list[int]:
    """Return the choices whose text is the answer; a number only matches a number."""
    texts = [text.strip() for text in raw.choices.texts] if isinstance(raw.answer, str) else []
    number = raw.answer if isinstance(raw.answer, float) else _whole_number(raw.answer)
    numbers = raw.choices.numbers if number is not None else ()
    # compare values too: 1 and 1.0 are written differently but are the same choice
    return sorted(
        {i for i, text in enumerate(texts) if text == raw.answer}
        | {i for i, choice in enumerate(numbers) if choice == number}
    )


def _index_by_number(first_number: int, raw: RawAnswer) -> int | None:
    number = _whole_number(raw.answer)
    return None if number is None else _index_in_range(number - first_number, raw)


def _whole_number(answer: int | float | str | None) -> int | None:
    """Return the answer as an int, or None; float is avoided, since large integers overflow it."""
    if isinstance(answer, str):
        return int(answer.removesuffix(".0")) if NUMBER.fullmatch(answer) else None
    return answer if isinstance(answer, int) else None


def _index_in_range(index: int, raw: RawAnswer) -> int | None:
    return index if 0 <= index < len(raw.choices.texts) else None


def _mismatch_error(raw: RawAnswer) -> Exception:
    count = len(raw.choices.texts)
    answer = str(raw.answer)
    short_answer = answer if len(answer) <= 40 else answer[:37] + "..."
    if len(_matching_choices(raw)) > 1:
        message = f"{short_answer!r} is the text of several choices"
    elif _whole_number(raw.answer) is not None:
        message = f"{short_answer} is out of range for {count} choices"
    elif LETTER.fullmatch(answer):
        message = f"letter {short_answer!r} is beyond the {count} choices"
    else:
        message = f"{short_answer!r} is not among the choices"
    return raw.location.error(raw.column, message)
