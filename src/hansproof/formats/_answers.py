"""Which choice an answer means: a key, a letter, a text or a number.

One reading is found for the whole file, so that no item is read by luck: the answer `2` is one
thing where another item says `0`, and another where every answer is the text of a choice.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ._choices import Choices
from ._record import Where, kind

LETTER = re.compile(r"\(?([A-Za-z])[).:]?")
NUMBER = re.compile(r"-?\d{1,9}(?:\.0)?")


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it stands in the file; None where there is none."""

    where: Where
    column: str
    answer: int | float | str | None  # a float is never a whole number
    choices: Choices


Reading = Callable[[Given], int | None]


def given(
    value: object, column: str, choices: Choices, where: Where, first: int | None = None
) -> Given:
    """The answer of one record, in one of the types that can be read; `first` as in `indices`."""
    if isinstance(value, list):
        if len(value) > 1:
            raise where.bad(column, f"{len(value)} right choices, one is needed")
        value = value[0] if value else None
    if isinstance(value, float) and (math.isnan(value) or value.is_integer()):
        value = None if math.isnan(value) else int(value)
    if isinstance(value, str):
        value = where.text(value, column).strip()
    if value in (None, ""):
        return Given(where, column, None, choices)
    # a fraction can only be one of the choices, and only where these are numbers too
    sort = (int, float, str) if choices.numeric else (int, str)
    if isinstance(value, bool) or not isinstance(value, sort):
        raise where.bad(column, f"is {kind(value)}, not an index, a letter or a text")
    row = Given(where, column, value, choices)
    # -1 says that there is none, unless it can be read as the name of a choice
    if value in (-1, "-1") and (first is not None or not _named(row)):
        return replace(row, answer=None)
    return row


def _named(row: Given) -> bool:
    """Whether the answer is the key or the text of some choice."""
    return str(row.answer) in row.choices.keys or bool(_places(row))


def indices(rows: Sequence[Given], first: int | None) -> list[int | None]:
    """The index of every answer; `first` is the number of the first choice, where it is known."""
    labelled = [row for row in rows if row.answer is not None]
    read = _reading(labelled, first)
    return [None if row.answer is None else read(row) for row in rows]


def _reading(rows: Sequence[Given], first: int | None) -> Reading:
    """The one reading under which every answer of the file is a choice."""
    zero, one = partial(_by_number, 0), partial(_by_number, 1)
    readings: list[Reading] = [_by_key, _by_letter, _by_text, zero, one]
    if first is not None:
        readings = [partial(_by_number, first)]
    fits = {reading: sum(reading(row) is not None for row in rows) for reading in readings}
    full = [reading for reading in readings if fits[reading] == len(rows)]
    if not full:
        best = max(readings, key=fits.__getitem__)
        raise _misfit(next(row for row in rows if best(row) is None))
    if full[0] is _by_key:  # the file itself says what its keys mean
        return _by_key
    if zero in full and one in full:  # counting from 0 is the rule, from 1 needs a proof
        full.remove(one)
    for row in rows:
        meanings = sorted({reading(row) or 0 for reading in full})
        if len(meanings) > 1:
            which = " or ".join(str(meaning + 1) for meaning in meanings)
            # where the choices are numbers, a number of the user's may be one of them again
            again = row.choices.numeric and _whole(row.answer) is not None
            better = "A, B, C" if again else "0, 1, 2"
            what = f"{row.answer!r} may mean choice {which}: write the answers as {better}, ..."
            raise row.where.bad(row.column, what)
    return full[0]


def _by_key(row: Given) -> int | None:
    keys = row.choices.keys
    return keys.index(str(row.answer)) if keys.count(str(row.answer)) == 1 else None


def _by_letter(row: Given) -> int | None:
    match = LETTER.fullmatch(row.answer) if isinstance(row.answer, str) else None
    return _within(ord(match[1].upper()) - ord("A"), row) if match else None


def _by_text(row: Given) -> int | None:
    places = _places(row)
    return places[0] if len(places) == 1 else None


def _places(row: Given) -> list[int]:
    """The choices that the answer is the text of; a number is only the text of a number."""
    texts = [text.strip() for text in row.choices.texts] if isinstance(row.answer, str) else []
    number = row.answer if isinstance(row.answer, float) else _whole(row.answer)
    numbers = row.choices.numbers if number is not None else ()
    # by value too: 1 and 1.0 are spelled differently, and must not pass for an index unseen
    return sorted(
        {i for i, text in enumerate(texts) if text == row.answer}
        | {i for i, choice in enumerate(numbers) if choice == number}
    )


def _by_number(first: int, row: Given) -> int | None:
    number = _whole(row.answer)
    return None if number is None else _within(number - first, row)


def _whole(answer: int | float | str | None) -> int | None:
    """The whole number that an answer is; not by way of float, which has a largest one."""
    if isinstance(answer, str):
        return int(answer.removesuffix(".0")) if NUMBER.fullmatch(answer) else None
    return answer if isinstance(answer, int) else None


def _within(index: int, row: Given) -> int | None:
    return index if 0 <= index < len(row.choices.texts) else None


def _misfit(row: Given) -> Exception:
    count = len(row.choices.texts)
    answer = str(row.answer)
    shown = answer if len(answer) <= 40 else answer[:37] + "..."
    if len(_places(row)) > 1:
        what = f"{shown!r} is the text of several choices"
    elif _whole(row.answer) is not None:
        what = f"{shown} is out of range for {count} choices"
    elif LETTER.fullmatch(answer):
        what = f"letter {shown!r} is beyond the {count} choices"
    else:
        what = f"{shown!r} is not among the choices"
    return row.where.bad(row.column, what)
