"""What a section needs of a result before it can be drawn, and whether it is there.

An audit.json may be written by another version, or by hand. What a section would draw is checked
here, in one place, so that sections and charts may take it for granted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from ..types import Result, Table

ValueCheck = Callable[[object], bool]

MAX_NUMBER = 2**53  # the page's script counts no further, and no number of ours is near it
MIN_POSITIVE_SHARE = 1e-9  # below it, axes on a log scale have no width


@dataclass(frozen=True, slots=True)
class ResultSchema:
    """Tables by name, with the kind of each column that is used; params by name."""

    tables: Mapping[str, Mapping[str, ValueCheck]]
    params: Mapping[str, ValueCheck] = field(default_factory=dict)

    def matches(self, result: Result) -> bool:
        return all(
            name in result.tables and _table_matches(result.tables[name], columns)
            for name, columns in self.tables.items()
        ) and all(
            name in result.params and check(result.params[name])
            for name, check in self.params.items()
        )


def _table_matches(table: Table, columns: Mapping[str, ValueCheck]) -> bool:
    if any(table.columns.count(name) != 1 for name in columns):
        return False
    checks = [(table.columns.index(name), check) for name, check in columns.items()]
    return all(check(row[index]) for row in table.rows for index, check in checks)


def text(value: object) -> bool:
    return isinstance(value, str)


def number(value: object) -> TypeGuard[int | float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -MAX_NUMBER <= value <= MAX_NUMBER  # which nan is not


def share(value: object) -> bool:
    """From 0 to 1."""
    return number(value) and 0 <= value <= 1


def positive_share(value: object) -> bool:
    """A share of which something is left: it can be divided by, and has a logarithm."""
    return number(value) and MIN_POSITIVE_SHARE <= value <= 1


def count(value: object) -> bool:
    return isinstance(value, int) and number(value) and value >= 0


def size(value: object) -> bool:
    """How many there are of what there must be one of."""
    return count(value) and value != 0


def or_none(check: ValueCheck) -> ValueCheck:
    """Also nothing, where the probes themselves write nothing."""
    return lambda value: value is None or check(value)
