"""Schemas of results: the tables, columns and params that a section needs.

An audit.json may come from another version, or be written by hand. Results are checked here, so
that sections and charts can rely on their tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from ..types import Result, Table

ValueCheck = Callable[[object], bool]

MAX_NUMBER = 2**53  # the largest exact integer in JavaScript, far above all numbers in audits
MIN_POSITIVE_SHARE = 1e-9  # below this, log-scaled axes have no width


@dataclass(frozen=True, slots=True)
class ResultSchema:
    """Checks for the columns of tables, and for params, by name."""

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
    return -MAX_NUMBER <= value <= MAX_NUMBER  # False for nan


def share(value: object) -> bool:
    """Check for a number from 0 to 1."""
    return number(value) and 0 <= value <= 1


def positive_share(value: object) -> bool:
    """Check for a share above 0, which can be a divisor and has a logarithm."""
    return number(value) and MIN_POSITIVE_SHARE <= value <= 1


def count(value: object) -> bool:
    return isinstance(value, int) and number(value) and value >= 0


def size(value: object) -> bool:
    """Check for a count of at least 1."""
    return count(value) and value != 0


def or_none(check: ValueCheck) -> ValueCheck:
    """Allow None as well, where probes write None."""
    return lambda value: value is None or check(value)
