"""Resolves cells with a letter, a number or a text to choices, the same way for a whole file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import BadInput
from .answers import (
    NUMBER,
    RawAnswer,
    Reading,
    find_ambiguity,
    find_readings,
    parse_answer,
    read_answers,
    unreadable_error,
    whole_number,
)
from .choices import Choices
from .location import Location, is_number, type_name

_DECIMAL = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")


def cell_text(value: object, column: str, location: Location) -> str:
    """Return the content of a cell as text, or an empty text."""
    if value is None or value != value:
        return ""
    if is_number(value):
        return str(value)
    if not isinstance(value, str):
        raise location.error(column, f"is {type_name(value)}, not an index, a letter or a text")
    return location.require_text(value, column).strip()


def parse_choice(text: str, column: str, choices: tuple[str, ...], location: Location) -> RawAnswer:
    """Parse a choice as written in a file; -1 and an empty text mean no choice."""
    numbers = tuple(
        float(choice) if _DECIMAL.fullmatch(choice.strip()) else None for choice in choices
    )
    return parse_answer(text, column, Choices(choices, numbers=numbers), location)


def resolve_choices(
    chosen: Sequence[RawAnswer],
    gold: Sequence[RawAnswer],
    first_number: int | None,
    remedy: str = "write A, B, C",
) -> tuple[list[int | None], list[int | None]]:
    """Return the indices of the chosen and of the gold answers; numbers start at `first_number`.

    If both are numbers, they are assumed to start at the same number. `remedy` tells the user what
    to do if nothing shows which number that is.
    """
    combined = [*chosen, *gold]
    if all(map(_is_numeric, combined)):
        indices = _resolve_indices(combined, first_number, remedy)
        return indices[: len(chosen)], indices[len(chosen) :]
    return (
        _resolve_indices(chosen, first_number, remedy),
        _resolve_indices(gold, first_number, remedy),
    )


def _resolve_indices(
    raw_answers: Sequence[RawAnswer], first_number: int | None, remedy: str
) -> list[int | None]:
    labelled = [raw for raw in raw_answers if raw.answer is not None]
    if all(map(_is_numeric, raw_answers)):
        if first_number is not None:
            return read_answers(raw_answers, "1" if first_number else "0")
        if labelled and all(map(_is_ambiguous, labelled)):
            raw = labelled[0]
            message = f"{raw.answer} may count from 0 or from 1, and no line shows which: {remedy}"
            raise raw.location.error(raw.column, message)
    readings = find_readings(labelled)
    if not readings:
        raise unreadable_error(labelled)
    if len(readings) > 1:
        raise _ambiguity_error(labelled, readings)
    return read_answers(raw_answers, readings[0])


def _ambiguity_error(raw_answers: Sequence[RawAnswer], readings: Sequence[Reading]) -> BadInput:
    raw, meanings = find_ambiguity(raw_answers, readings)
    alternatives = " or ".join(str(index + 1) for index in meanings)
    # if the choices are numbers, an index may be mistaken for one of them again
    still_ambiguous = raw.choices.has_numbers and whole_number(raw) is not None
    suggestion = "A, B, C" if still_ambiguous else "0, 1, 2"
    message = (
        f"{raw.answer!r} may mean choice {alternatives}: write the answers as {suggestion}, ..."
    )
    return raw.location.error(raw.column, message)


def _is_numeric(raw: RawAnswer) -> bool:
    return raw.answer is None or NUMBER.fullmatch(str(raw.answer)) is not None


def _is_ambiguous(raw: RawAnswer) -> bool:
    """Check whether a number is a valid choice both counted from 0 and from 1."""
    number = int(str(raw.answer).removesuffix(".0"))
    return 1 <= number < len(raw.choices.texts)
