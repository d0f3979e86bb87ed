"""Computed figures, findings about printed ones, and the types of functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from .paper_data import PaperData
from .printed_figures import VALUE, CellKey, FigureParts, FigureValue, Paper, PrintedTable

# data: counted in the benchmark.  predictions: from predictions that the authors released.
# printed: follows from other printed figures.  model: from models trained by hansproof.
FigureSource = Literal["data", "predictions", "printed", "model"]


@dataclass(frozen=True, slots=True)
class ComputedFigure:
    """A figure that hansproof computed, and its source."""

    parts: FigureParts
    source: FigureSource
    note: str = ""
    model: str = ""  # the model that was trained


@dataclass(frozen=True, slots=True)
class PaperFinding:
    """A problem in the paper, described with the numbers that show it.

    Figures in `cells` contradict the paper's own definitions; `corrections` has what they would
    be, where that can be computed.
    """

    id: str
    table: str  # the table under which it is shown
    text: str
    cells: tuple[CellKey, ...] = ()
    corrections: dict[CellKey, ComputedFigure] = field(default_factory=dict)


ComputedCells = Mapping[tuple[int, str], ComputedFigure]  # by row and column
ComputeTable = Callable[[PrintedTable, PaperData], ComputedCells]
ComputeTextFigure = Callable[[Paper, PaperData], ComputedFigure]
FindFunction = Callable[[Paper, PaperData], PaperFinding | None]  # None: no problem found


class FindingCheck:
    """A function that looks for a problem, and the tables that it concerns."""

    __slots__ = ("find", "tables")

    def __init__(self, find: FindFunction, *tables: str) -> None:
        self.find, self.tables = find, tables


def data_figure(value: FigureValue, note: str = "") -> ComputedFigure:
    """Build a figure of one number that was counted in the data."""
    return ComputedFigure({VALUE: value}, "data", note)


def predictions_figure(value: FigureValue, note: str = "") -> ComputedFigure:
    """Build a figure of one number from released predictions."""
    return ComputedFigure({VALUE: value}, "predictions", note)


def implied_figure(value: FigureValue, note: str = "") -> ComputedFigure:
    """Build a figure of one number that follows from other printed figures."""
    return ComputedFigure({VALUE: value}, "printed", note)


def score_figure(mean: float, spread: float | None, note: str = "") -> ComputedFigure:
    """Build a figure of mean and spread over released runs."""
    parts: FigureParts = {"mean": mean} if spread is None else {"mean": mean, "spread": spread}
    return ComputedFigure(parts, "predictions", note)
