"""The verdict, the summary, the estimates and the notes on transfer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..._infra.join_names import join_names
from ..._infra.plural import plural
from ...sweeps.degenerate_runs import find_degenerate
from ...types import Estimate, Verdict
from .matrix import MatrixCell
from .overlap import shared_items
from .roles import Participant, training_sources
from .runs import SourceRun

MIN_RUNS = 5  # runs, below which their spread is a guess
FOLDERS = re.compile(r"[^,=:]*/(?=[^,=/]+)")
REGULARITIES_NOTE = (
    "Shortcuts carry over too: for example, right choices that are longer, or similarly worded, "
    "in both benchmarks. Compare with a view that hides the question (--view choices)."
)
FIELD_NAMES_NOTE = (
    "A bag-of-words model learns words together with the name of their field: if the other "
    "benchmark names its fields differently, only what was learnt about the choices can carry "
    "over."
)


@dataclass(frozen=True, slots=True, eq=False)
class TransferFindings:
    """The matrix and the runs that the verdict and the summary are about."""

    model: str
    over: str
    level: float
    participants: Sequence[Participant]
    cells: Sequence[MatrixCell]
    runs: Sequence[SourceRun]

    @property
    def short_model_name(self) -> str:
        """The model spec without the folders of its files."""
        return FOLDERS.sub("", self.model.rstrip("/"))

    def cells_of(self, source: Participant) -> tuple[MatrixCell, list[MatrixCell]]:
        """Return the cell of a source's models at home, and their other cells."""
        source_cells = [cell for cell in self.cells if cell.source is source]
        home = next(cell for cell in source_cells if cell.is_own)
        return home, [cell for cell in source_cells if not cell.is_own]

    @property
    def learns_anything(self) -> bool:
        """Whether models are above chance on their own benchmark, or on another."""
        return any(cell.flag or (cell.is_own and cell.stats.p <= self.level) for cell in self.cells)


def decide_verdict(findings: TransferFindings) -> Verdict:
    """Return caution if models learn something on a benchmark that carries over to no other.

    Where they learn nothing on any, nothing could carry over: the verdict is skipped.
    """
    if not findings.learns_anything:
        return "skipped"
    for source in training_sources(findings.participants):
        home, away = findings.cells_of(source)
        if home.stats.p <= findings.level and not any(cell.flag for cell in away):
            return "caution"
    return "clear"


def build_estimates(findings: TransferFindings) -> tuple[Estimate, ...]:
    """Return an estimate for every cell, those off the diagonal first."""
    ordered = sorted(findings.cells, key=lambda cell: cell.is_own)
    return tuple(_build_estimate(cell) for cell in ordered)


def key_estimate_name(findings: TransferFindings) -> str:
    """Name the estimate that the summary begins with: how the first source does at home."""
    homes = [findings.cells_of(source) for source in training_sources(findings.participants)]
    carrying = (home for home, away in homes if any(cell.flag for cell in away))
    return next(carrying, homes[0][0]).name


def _build_estimate(cell: MatrixCell) -> Estimate:
    stats = cell.stats
    return Estimate(cell.name, stats.accuracy, stats.low, stats.high, stats.n, stats.chance)


def write_summary(findings: TransferFindings) -> str:
    """Describe what carries over to where, what does not, and the strongest transfer."""
    cells_by_source = [
        findings.cells_of(source) for source in training_sources(findings.participants)
    ]
    if not findings.learns_anything:
        homes = [f"{home.source.name} {home.stats.accuracy:.1%}" for home, _ in cells_by_source]
        return (
            f"Skipped: {findings.short_model_name} is not above chance on any benchmark it was "
            f"trained on ({', '.join(homes)}), so nothing can carry over."
        )
    clauses = [
        _carrying_clause(findings, home, away)
        for home, away in cells_by_source
        if any(cell.flag for cell in away)
    ]
    failing = [
        _source_phrase(findings, home)
        for home, away in cells_by_source
        if not any(cell.flag for cell in away)
    ]
    if failing:
        other = "any other" if len(findings.participants) > 2 else "the other"
        clauses.append(f"{join_names(failing, 'or')} does not carry over significantly to {other}")
    first = f"What {findings.short_model_name} learns on {clauses[0]}"
    text = "; ".join([first, *(f"what it learns on {clause}" for clause in clauses[1:])])
    carried = [cell for cell in findings.cells if cell.flag]
    if len(carried) < 2:
        return f"{text}."
    best = max(carried, key=lambda cell: cell.gain)
    return f"{text}. The largest gain is from {best.source.name} to {best.target.name}."


def _carrying_clause(
    findings: TransferFindings, home: MatrixCell, away: Sequence[MatrixCell]
) -> str:
    carried = join_names([_target_phrase(cell) for cell in away if cell.flag])
    failing = [cell.target.name for cell in away if not cell.flag]
    no_further = f", but not significantly to {join_names(failing, 'or')}" if failing else ""
    return f"{_source_phrase(findings, home)} carries over to {carried}{no_further}"


def _source_phrase(findings: TransferFindings, home: MatrixCell) -> str:
    """Return the name of a source, and the accuracy of its models at home."""
    more = ", not above chance" if home.stats.p > findings.level else ""
    return f"{home.source.name} ({home.stats.accuracy:.1%} there{more})"


def _target_phrase(cell: MatrixCell) -> str:
    return f"{cell.target.name} ({cell.stats.accuracy:.1%}, chance {cell.stats.chance:.1%})"


def write_notes(findings: TransferFindings) -> tuple[str, ...]:
    """Return notes on what was left out, and on what misleads."""
    return tuple(_iter_notes(findings))


def _iter_notes(findings: TransferFindings) -> Iterator[str]:
    for participant in findings.participants:
        if participant.train_split is None:
            reason = "has no training split besides the one tested"
            yield f"{participant.name} {reason}, so no model is trained on it."
    yield from _overlap_notes(findings)
    yield from _failed_run_notes(findings)
    if findings.over == "best":
        yield (
            "Only the run that is best on its own benchmark counts, so the scores on the "
            "diagonal are selected and optimistic."
        )
    yield from _spread_notes(findings)
    if findings.model.partition(":")[0] == "bow":
        yield FIELD_NAMES_NOTE
    yield REGULARITIES_NOTE


def _overlap_notes(findings: TransferFindings) -> Iterator[str]:
    for cell in findings.cells:
        if cell.shared_ids:
            yield (
                f"{cell.name}: {len(cell.shared_ids)} of {plural(cell.stats.n, 'test item')} also "
                f"occur in the training split ({cell.source.train_split})."
            )
    for first, second in combinations(findings.participants, 2):
        common = shared_items(
            (*first.train_items, *first.items), (*second.train_items, *second.items)
        )
        if common:
            yield (
                f"{first.name} and {second.name} have {plural(len(common), 'item')} in common, so "
                "part of what carries over between them is shared items."
            )


def _failed_run_notes(findings: TransferFindings) -> Iterator[str]:
    for source in training_sources(findings.participants):
        source_runs = [run for run in findings.runs if run.source == source.name]
        failed = sum(
            find_degenerate(
                source.benchmark, source_runs[0].run, [run.own_predictions for run in source_runs]
            )
        )
        if failed:
            yield (
                f"{source.name}: {failed} of {plural(len(source_runs), 'run')} learnt nothing: "
                "training accuracy is not above chance."
            )


def _spread_notes(findings: TransferFindings) -> Iterator[str]:
    """Yield a note on how well the spread over seeds is known."""
    runs_by_source = [
        [run for run in findings.runs if run.source == s.name]
        for s in training_sources(findings.participants)
    ]
    count = len(runs_by_source[0])
    if count > 1 and all(
        _answers_equal(source_runs[0], run)
        for source_runs in runs_by_source
        for run in source_runs[1:]
    ):
        yield f"All {count} runs are identical: this model does not depend on the seed."
    elif count < MIN_RUNS:
        yield (
            f"With {plural(count, 'run')} per benchmark, how much training itself varies is "
            "hardly known."
        )


def _answers_equal(first: SourceRun, second: SourceRun) -> bool:
    """Whether two models are right on the same items of every benchmark."""
    return all(
        np.array_equal(item_credits, second.credits[name])
        for name, item_credits in first.credits.items()
    )
