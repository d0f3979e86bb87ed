"""What became of a printed figure, and of all of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from .computed import ComputedFigure, PaperFinding
from .printed import Paper, PrintedFigure


class FigureStatus(StrEnum):
    """What can be said of a figure."""

    EXACT = "exact"
    PREDICTIONS = "from published predictions"
    DIFFERS = "differs"
    RERUN = "re-run"
    CANNOT = "cannot be had"
    CONTRADICTS = "contradicts its own definition"


REACHED_STATUSES = (FigureStatus.EXACT, FigureStatus.PREDICTIONS)


@dataclass(frozen=True, slots=True)
class FigureComparison:
    """One figure: what is printed, what is ours, what a run of another model gave."""

    figure: PrintedFigure
    status: FigureStatus
    computed: ComputedFigure | None = None
    retrained: ComputedFigure | None = None
    reason: str = ""  # it cannot be had, or what contradicts it

    def status_text(self) -> str:
        """The status in words; of one that was run again, with what."""
        retrained_model = (
            self.status == FigureStatus.RERUN and self.retrained and self.retrained.model
        )
        return f"{self.status} with {retrained_model}" if retrained_model else self.status.value


@dataclass(frozen=True, slots=True)
class FigureCounts:
    """How many figures; reachable are those that data and released predictions give one for."""

    reached: int
    reachable: int
    total: int
    by_status: dict[str, int]


def count_figures(comparisons: Iterable[FigureComparison]) -> FigureCounts:
    """Of some figures."""
    by_status = Counter(comparison.status for comparison in comparisons)
    n_reached = sum(by_status[status] for status in REACHED_STATUSES)
    return FigureCounts(
        n_reached,
        n_reached + by_status[FigureStatus.DIFFERS],
        by_status.total(),
        {status.value: by_status[status] for status in FigureStatus if by_status[status]},
    )


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A paper, figure by figure."""

    paper: Paper
    comparisons: tuple[FigureComparison, ...]
    findings: tuple[PaperFinding, ...]  # derived
    notes: dict[str, tuple[str, ...]]  # by table: read, not derived
    model: str | None = None  # that filled rows

    def figure_counts(self) -> FigureCounts:
        """Over all tables that were asked for."""
        return count_figures(self.comparisons)

    def comparisons_by_table(self) -> dict[str, list[FigureComparison]]:
        """The outcomes by table, in the order of the paper."""
        by_table: dict[str, list[FigureComparison]] = {}
        for comparison in self.comparisons:
            by_table.setdefault(comparison.figure.key[0], []).append(comparison)
        return by_table
