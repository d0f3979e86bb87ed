"""The result of a reproduction: a status for every figure, and counts of statuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from .computed_figures import ComputedFigure, PaperFinding
from .printed_figures import Paper, PrintedFigure


class FigureStatus(StrEnum):
    """The result of comparing a printed figure with a computed one."""

    EXACT = "exact"
    PREDICTIONS = "from published predictions"
    DIFFERS = "differs"
    RERUN = "re-run"
    CANNOT = "cannot be computed"
    CONTRADICTS = "self-contradictory"


REACHED_STATUSES = (FigureStatus.EXACT, FigureStatus.PREDICTIONS)


@dataclass(frozen=True, slots=True)
class FigureComparison:
    """A printed figure beside the computed one and the one of a retrained model."""

    figure: PrintedFigure
    status: FigureStatus
    computed: ComputedFigure | None = None
    retrained: ComputedFigure | None = None
    reason: str = ""  # why it cannot be computed, or what contradicts it

    def status_text(self) -> str:
        """Return the status in words; for retrained figures, with the model's name."""
        retrained_model = (
            self.status == FigureStatus.RERUN and self.retrained and self.retrained.model
        )
        return f"{self.status} with {retrained_model}" if retrained_model else self.status.value


@dataclass(frozen=True, slots=True)
class FigureCounts:
    """Numbers of figures; reachable: data or released predictions give a figure."""

    reached: int
    reachable: int
    total: int
    by_status: dict[str, int]


def count_figures(comparisons: Iterable[FigureComparison]) -> FigureCounts:
    """Count comparisons by status."""
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
    """All comparisons of a paper, with findings and notes."""

    paper: Paper
    comparisons: tuple[FigureComparison, ...]
    findings: tuple[PaperFinding, ...]  # derived from figures and data
    notes: dict[str, tuple[str, ...]]  # by table: read by people, not derived
    model: str | None = None  # the model that was retrained

    def figure_counts(self) -> FigureCounts:
        """Count the comparisons of all selected tables."""
        return count_figures(self.comparisons)

    def comparisons_by_table(self) -> dict[str, list[FigureComparison]]:
        """Group the comparisons by table, in the order of the paper."""
        by_table: dict[str, list[FigureComparison]] = {}
        for comparison in self.comparisons:
            by_table.setdefault(comparison.figure.key[0], []).append(comparison)
        return by_table
