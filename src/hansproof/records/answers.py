"""Resolves answers to choices: an answer is a key, a letter, a text or a number.

All answers are interpreted in the same way, so that no single item is guessed: `2` is the third
choice if another answer is `0`, but a text if every answer is the text of a choice. Which way it
is, `answer_readings` decides for the items of a benchmark.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import takewhile
from typing import Literal

from ..errors import BadInput
from .choices import Choices
from .location import Location, type_name

LETTER = re.compile(r"\(?([A-Za-z])[).:]?")
LETTER_AND_TEXT = re.compile(r"(\(?[A-Za-z][).:])\s*(.+)", re.DOTALL)
SEVERAL = re.compile(r"([A-Za-z]|\d)(?:\s*[,;&/+]\s*([A-Za-z]|\d))+")
NUMBER = re.compile(r"-?\d{1,9}(?:\.0)?")


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer as written in the file; None if the item has no answer."""

    location: Location
    column: str
    answer: int | float | str | None  # a float here always has a fraction
    choices: Choices


# how answers are read: by the keys that the choices have, as letters, as the texts of choices, or
# as numbers of which the first choice is 0 or 1
Reading = Literal["keys", "letters", "text", "0", "1"]
AnswerReader = Callable[[RawAnswer], int | None]


def parse_answer(
    value: object,
    column: str,
    choices: Choices,
    location: Location,
    reading: Reading | None = None,
) -> RawAnswer:
    """Parse the answer of one record; `reading` is how it will be read, if that is known."""
    if type(value) is str and value.isalnum():  # the usual kind, quickly
        return RawAnswer(location, column, value, choices)
    if isinstance(value, list):
        if len(value) > 1:
            raise location.error(column, f"has {len(value)} right choices; exactly one is needed")
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
    if value in (-1, "-1") and (reading in ("letters", "0", "1") or not _names_choice(raw)):
        return replace(raw, answer=None)
    return raw


def _names_choice(raw: RawAnswer) -> bool:
    """Check whether the answer is the key or the text of a choice."""
    return str(raw.answer) in raw.choices.keys or bool(_matching_choices(raw))


def find_readings(raw_answers: Sequence[RawAnswer]) -> list[Reading]:
    """Find the readings under which every answer is a choice; of equivalent ones, the first."""
    readings: dict[tuple[int | None, ...], Reading] = {}
    for reading, read_answer in _READERS.items():
        # stops at the first answer that is not a choice
        indices = tuple(takewhile(_is_index, map(read_answer, raw_answers)))
        if len(indices) == len(raw_answers):
            readings.setdefault(indices, reading)
    # the file defines its own keys
    return ["keys"] if "keys" in readings.values() else list(readings.values())


def name_keys(raw_answers: Sequence[RawAnswer]) -> bool:
    """Tell whether there are answers, and each is the key of one choice."""
    return bool(raw_answers) and all(_is_index(_index_by_key(raw)) for raw in raw_answers)


def read_answers(
    raw_answers: Sequence[RawAnswer], reading: Reading, *, is_given: bool = False
) -> list[int | None]:
    """Return the index of every answer; raise at the first that is not a choice.

    If the reading `is_given` by the user, the error says that the answer contradicts it.
    """
    read_answer = _READERS[reading]
    indices: list[int | None] = []
    for raw in raw_answers:
        index = None if raw.answer is None else read_answer(raw)
        if index is None and raw.answer is not None:
            raise _mismatch_error(raw, reading, is_given)
        indices.append(index)
    return indices


def is_readable(raw: RawAnswer, reading: Reading) -> bool:
    """Check whether an answer is a choice under a reading."""
    return _READERS[reading](raw) is not None


def is_free_text(raw: RawAnswer) -> bool:
    """Check whether an answer is neither a number, nor a letter, nor the text of a choice."""
    if not isinstance(raw.answer, str) or LETTER.fullmatch(raw.answer) or _names_choice(raw):
        return False
    try:
        return not math.isfinite(float(raw.answer))  # nan is not an answer either
    except ValueError:
        return True


def find_ambiguity(
    raw_answers: Sequence[RawAnswer], readings: Sequence[Reading]
) -> tuple[RawAnswer, dict[int, Reading]]:
    """Find the first answer on which readings differ, and the choice that each takes it for."""
    for raw in raw_answers:
        meanings = {_READERS[reading](raw) or 0: reading for reading in reversed(readings)}
        if len(meanings) > 1:
            return raw, dict(sorted(meanings.items()))
    raise AssertionError("readings that find_readings returns differ")


def unreadable_error(raw_answers: Sequence[RawAnswer]) -> BadInput:
    """Build an error about the first answer that the reading which fits most answers does not."""
    unread = {
        reading: [raw for raw in raw_answers if read_answer(raw) is None]
        for reading, read_answer in _READERS.items()
    }
    best_reading = min(unread, key=lambda reading: len(unread[reading]))
    raw = unread[best_reading][0]
    if len(unread[best_reading]) < len(raw_answers) and _matching_choices(raw):
        message = f"{_shorten(raw)!r} is the text of a choice, but other answers are not texts"
        return raw.location.error(raw.column, f"{message}: write all answers in the same way")
    return _mismatch_error(raw, best_reading)


def _shorten(raw: RawAnswer) -> str:
    return _shorten_text(str(raw.answer))


def _shorten_text(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def whole_number(raw: RawAnswer) -> int | None:
    """Return the answer as an int, or None; float is avoided, since large integers overflow it."""
    if isinstance(raw.answer, str):
        return int(raw.answer.removesuffix(".0")) if NUMBER.fullmatch(raw.answer) else None
    return raw.answer if isinstance(raw.answer, int) else None


def _is_index(index: int | None) -> bool:
    return index is not None


def _index_by_key(raw: RawAnswer) -> int | None:
    keys = raw.choices.keys
    return keys.index(str(raw.answer)) if keys.count(str(raw.answer)) == 1 else None


def _index_by_letter(raw: RawAnswer) -> int | None:
    if not isinstance(raw.answer, str):
        return None
    place, texts = _letter_place(raw.answer), raw.choices.texts
    if place is not None:
        return place if place < len(texts) else None
    # `B. blue` is a letter if the second choice is blue
    match = LETTER_AND_TEXT.fullmatch(raw.answer)
    place = _letter_place(match[1]) if match else None
    is_choice = match and place is not None and texts[place : place + 1] == (match[2],)
    return place if is_choice else None


@lru_cache(maxsize=4096)
def _letter_place(answer: str) -> int | None:
    """Return the place of a letter in the alphabet, from 0; None if the text is not a letter."""
    match = LETTER.fullmatch(answer)
    return ord(match[1].upper()) - ord("A") if match else None


def _index_by_text(raw: RawAnswer) -> int | None:
    matching = _matching_choices(raw)
    return matching[0] if len(matching) == 1 else None


def _matching_choices(raw: RawAnswer) -> list[int]:
    """Return the choices whose text is the answer; a number only matches a number."""
    texts = [text.strip() for text in raw.choices.texts] if isinstance(raw.answer, str) else []
    number = raw.answer if isinstance(raw.answer, float) else whole_number(raw)
    numbers = raw.choices.numbers if number is not None else ()
    # compare values too: 1 and 1.0 are written differently but are the same choice
    return sorted(
        {i for i, text in enumerate(texts) if text == raw.answer}
        | {i for i, choice in enumerate(numbers) if choice == number}
    )


def _index_by_number(first_number: int, raw: RawAnswer) -> int | None:
    number = whole_number(raw)
    return None if number is None else _index_in_range(number - first_number, raw)


def _index_in_range(index: int, raw: RawAnswer) -> int | None:
    return index if 0 <= index < len(raw.choices.texts) else None


_READERS: dict[Reading, AnswerReader] = {
    "keys": _index_by_key,
    "letters": _index_by_letter,
    "text": _index_by_text,
    "0": partial(_index_by_number, 0),
    "1": partial(_index_by_number, 1),
}


def _mismatch_error(raw: RawAnswer, reading: Reading, is_given: bool = False) -> BadInput:
    count = len(raw.choices.texts)
    answer, short_answer = str(raw.answer), _shorten(raw)
    is_number, is_letter = whole_number(raw) is not None, LETTER.fullmatch(answer)
    if SEVERAL.fullmatch(answer):
        message = f"{short_answer!r} names several choices; exactly one is needed"
    elif len(_matching_choices(raw)) > 1:
        message = f"{short_answer!r} is the text of several choices"
    elif is_given and not (is_letter and reading == "letters"):
        message = _describe_contradiction(short_answer, is_number, reading, count)
    elif is_number and reading != "letters":
        message = f"{short_answer} is out of range for {count} choices"
    elif is_letter and reading != "text":
        message = f"letter {short_answer!r} is out of range for {count} choices"
    else:
        message = f"{short_answer!r} is not among the choices{_suggest_choice(raw)}"
    return raw.location.error(raw.column, message)


def _suggest_choice(raw: RawAnswer) -> str:
    """Name the choice that differs from the answer only in case, or in a few letters."""
    from difflib import get_close_matches

    texts = {text.strip().casefold(): text.strip() for text in raw.choices.texts}
    matches = get_close_matches(str(raw.answer).casefold(), texts, n=1, cutoff=0.8)
    return f"; did you mean {_shorten_text(texts[matches[0]])!r}?" if matches else ""


def _describe_contradiction(answer: str, is_number: bool, reading: Reading, count: int) -> str:
    """Say why an answer is not a choice under the reading that the user gave."""
    if reading in ("0", "1") and is_number:
        last = count - 1 + int(reading)
        return f"{answer} is out of range: with --answers-from {reading}, use {reading} to {last}"
    expected = {"letters": "a letter", "text": "the text of a choice"}.get(reading, "a number")
    return f"{answer!r} is not {expected}, but --answers-from {reading} was given"
