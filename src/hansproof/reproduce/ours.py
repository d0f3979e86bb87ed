"""What is found for a printed figure, and what is found wrong with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .figures import VALUE, Paper, Parts, Place, Printed, Value
from .released import Released

# data: counted in the benchmark.  predictions: from what the authors released of their models.
# printed: follows from other figures of the paper.  model: from runs of our own.
Source = Literal["data", "predictions", "printed", "model"]


@dataclass(frozen=True, slots=True)
class Ours:
    """A figure of our own, and what it is made from."""

    parts: Parts
    source: Source
    note: str = ""
    by: str = ""  # the model that was run


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a reader of the paper must know, with the numbers it rests on.

    Figures in `cells` cannot be as printed by the paper's own definition; what they would be is in
    `ours`, where that can be said.
    """

    id: str
    table: str  # where it belongs
    text: str
    cells: tuple[Place, ...] = ()
    ours: dict[Place, Ours] = field(default_factory=dict)


Cells = Mapping[tuple[int, str], Ours]  # by row and column
Table = Callable[[Printed, Released], Cells]
Text = Callable[[Paper, Released], Ours]
Find = Callable[[Paper, Released], Finding | None]  # None: nothing of the kind is there


class Look:
    """What is looked for, and the tables that it is about."""

    __slots__ = ("find", "tables")

    def __init__(self, find: Find, *tables: str) -> None:
        self.find, self.tables = find, tables


def counted(value: Value, note: str = "") -> Ours:
    """One number from the data."""
    return Ours({VALUE: value}, "data", note)


def told(value: Value, note: str = "") -> Ours:
    """One number from released predictions."""
    return Ours({VALUE: value}, "predictions", note)


def implied(value: Value, note: str = "") -> Ours:
    """One number from others of the paper."""
    return Ours({VALUE: value}, "printed", note)


def scored(mean: float, spread: float | None, note: str = "") -> Ours:
    """Mean and spread over released runs."""
    parts: Parts = {"mean": mean} if spread is None else {"mean": mean, "spread": spread}
    return Ours(parts, "predictions", note)
