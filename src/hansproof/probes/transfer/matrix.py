"""The matrix: a cell for each benchmark trained on and each benchmark tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...stats import holm
from ...types import Cell, Table
from .cell_stats import CellStats, measure_cell
from .overlap import shared_items
from .roles import Participant, training_sources
from .runs import SourceRun

MATRIX_COLUMNS = (
    "trained_on", "trained_split", "tested_on", "split", "model", "seeds", "over", "accuracy",
    "low", "high", "sd", "chance", "n", "p", "q", "shared", "flag",
)  # fmt: skip
CARRIES_OVER = "carries over"
CHANCE_ROW = "chance"


@dataclass(frozen=True, slots=True, eq=False)
class MatrixCell:
    """The accuracy of models of one benchmark on another, or on their own."""

    source: Participant
    target: Participant
    stats: CellStats
    shared_ids: tuple[str, ...]  # tested items that also stand in the training split
    q: float | None = None  # none on their own
    flag: str = ""

    @property
    def name(self) -> str:
        """The benchmark that was learnt from and the one that was answered."""
        return name_pair(self.source.name, self.target.name)

    @property
    def is_own(self) -> bool:
        """Whether source and target are the same benchmark."""
        return self.source.name == self.target.name

    @property
    def gain(self) -> float:
        """The accuracy minus chance."""
        return self.stats.accuracy - self.stats.chance

    def table_row(self, model: str, over: str) -> tuple[Cell, ...]:
        """Return the row of the table (see MATRIX_COLUMNS)."""
        stats = self.stats
        return (
            self.source.name, self.source.train_split, self.target.name, self.target.split, model,
            stats.seeds, over, stats.accuracy, stats.low, stats.high, stats.sd, stats.chance,
            stats.n, stats.p, self.q, len(self.shared_ids), self.flag,
        )  # fmt: skip


def build_cell(
    source: Participant, target: Participant, runs: Sequence[SourceRun], best: bool
) -> MatrixCell:
    """Return the cell of a source's runs on a target; `best`: of the run that is best at home."""
    home_accuracies = [float(run.credits[source.name].mean()) for run in runs]
    stats = measure_cell(
        [run.credits[target.name] for run in runs],
        target.groups,
        target.chance_credits,
        int(np.argmax(home_accuracies)) if best else None,
    )
    return MatrixCell(source, target, stats, shared_items(source.train_items, target.items))


def correct_cells(cells: Sequence[MatrixCell], level: float) -> list[MatrixCell]:
    """Add q and flags, corrected over the cells off the diagonal."""
    off_diagonal = [cell for cell in cells if not cell.is_own]
    q = iter(holm([cell.stats.p for cell in off_diagonal]).tolist())
    return [cell if cell.is_own else _with_q(cell, next(q), level) for cell in cells]


def _with_q(cell: MatrixCell, q: float, level: float) -> MatrixCell:
    return replace(cell, q=q, flag=CARRIES_OVER if q <= level else "")


def accuracy_table(participants: Sequence[Participant], cells: Sequence[MatrixCell]) -> Table:
    """Return the accuracies as the paper prints them, with chance in the last row."""
    rows: list[tuple[Cell, ...]] = [
        (source.name, *(cell.stats.accuracy for cell in cells if cell.source is source))
        for source in training_sources(participants)
    ]
    rows.append(
        (CHANCE_ROW, *(float(participant.chance_credits.mean()) for participant in participants))
    )
    return Table(("trained on", *(participant.name for participant in participants)), tuple(rows))


def overlap_evidence(cells: Sequence[MatrixCell], name: str) -> dict[str, tuple[str, ...]]:
    """Return the tested items of benchmark `name` that are also in a training split."""
    overlapping = (cell for cell in cells if cell.target.name == name and cell.shared_ids)
    return {
        evidence_key(cell.source.name, cell.target.name): cell.shared_ids for cell in overlapping
    }


def name_pair(source: str, target: str) -> str:
    """Name a cell by the benchmark that was learnt from and the one that was answered."""
    return f"{source} → {target}"


def evidence_key(source: str, target: str) -> str:
    """Name the items of a target that are also in the training split of a source."""
    return f"{name_pair(source, target)}: also learnt from"
