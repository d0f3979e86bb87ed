"""Which choice somebody means by a letter, a number or a text: one reading for a whole file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..formats._answers import NUMBER, Given, given, indices
from ..formats._choices import Choices
from ..formats._record import Where, is_number, kind

_DECIMAL = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")


def cell(value: object, column: str, where: Where) -> str:
    """What stands in a cell, as text; empty if nothing does."""
    if value is None or value != value:
        return ""
    if is_number(value):
        return str(value)
    if not isinstance(value, str):
        raise where.bad(column, f"is {kind(value)}, not an index, a letter or a text")
    return where.text(value, column).strip()


def pick(text: str, column: str, choices: tuple[str, ...], where: Where) -> Given:
    """A choice as it stands in the file, with what it may mean; -1 and nothing are the same."""
    numbers = tuple(float(c) if _DECIMAL.fullmatch(c.strip()) else None for c in choices)
    return given(text, column, Choices(choices, numbers=numbers), where)


def read(
    said: Sequence[Given], right: Sequence[Given], first: int | None
) -> tuple[list[int | None], list[int | None]]:
    """The indices of what was said and of what the file calls right; `first`: counted from it.

    Where both are numbers they count alike, so that each helps to understand the other.
    """
    both = [*said, *right]
    if all(map(_numeric, both)):
        found = _read(both, first)
        return found[: len(said)], found[len(said) :]
    return _read(said, first), _read(right, first)


def _read(rows: Sequence[Given], first: int | None) -> list[int | None]:
    if not all(map(_numeric, rows)):
        return indices(rows, None)
    counted = [row for row in rows if row.answer is not None]
    if first is None and counted and all(map(_either, counted)):
        row = counted[0]
        what = (
            f"{row.answer} may be counted from 0 or from 1, and no line shows which: "
            "say it with --first, or write A, B, C"
        )
        raise row.where.bad(row.column, what)
    return indices(rows, first)


def _numeric(row: Given) -> bool:
    return row.answer is None or NUMBER.fullmatch(str(row.answer)) is not None


def _either(row: Given) -> bool:
    """Whether a number is a choice, counted from 0 and from 1 alike."""
    number = int(str(row.answer).removesuffix(".0"))
    return 1 <= number < len(row.choices.texts)
