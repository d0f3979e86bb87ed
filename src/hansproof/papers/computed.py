"""What is found for a printed figure, and what is found wrong with one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .paper_data import PaperData
from .printed import VALUE, CellKey, FigureParts, FigureValue, Paper, PrintedTable

# data: counted in the benchmark.  predictions: from what the authors released of their models.
# printed: follows from other figures of the paper.  model: from runs of our own.
FigureSource = Literal["data", "predictions", "printed", "model"]


@dataclass(frozen=True, slots=True)
class ComputedFigure:
    """A figure of our own, and what it is made from."""

    parts: FigureParts
    source: FigureSource
    note: str = ""
    model: str = ""  # the model that was run


@dataclass(frozen=True, slots=True)
class PaperFinding:
    """Something a reader of the paper must know, with the numbers it rests on.

    Figures in `cells` cannot be as printed by the paper's own definition; what they would be is in
    `ours`, where that can be said.
    """

    id: str
    table: str  # where it belongs
    text: str
    cells: tuple[CellKey, ...] = ()
    corrections: dict[CellKey, ComputedFigure] = field(default_factory=dict)


ComputedCells = Mapping[tuple[int, str], ComputedFigure]  # by row and column
ComputeTable = Callable[[PrintedTable, PaperData], ComputedCells]
ComputeTextFigure = Callable[[Paper, PaperData], ComputedFigure]
FindFunction = Callable[
    [Paper, PaperData], PaperFinding | None
]  # None: nothing of the kind is there


class FindingCheck:
    """What is looked for, and the tables that it is about."""

    __slots__ = ("find", "tables")

    def __init__(self, find: FindFunction, *tables: str) -> None:
        self.find, self.tables = find, tables


def data_figure(value: FigureValue, note: str = "") -> ComputedFigure:
    """One number from the data."""
    return ComputedFigure({VALUE: value}, "data", note)


def predictions_figure(value: FigureValue, note: str = "") -> ComputedFigure:
    """One number from released predictions."""
    return ComputedFigure({VALUE: value}, "predictions", note)


def implied_figure(value: FigureValue, note: str = "") -> ComputedFigure:
    """One number from others of the paper."""
    return ComputedFigure({VALUE: value}, "printed", note)


def score_figure(mean: float, spread: float | None, note: str = "") -> ComputedFigure:
    """Mean and spread over released runs."""
    parts: FigureParts = {"mean": mean} if spread is None else {"mean": mean, "spread": spread}
    return ComputedFigure(parts, "predictions", note)
