"""Does what a model learns on one benchmark carry over to another?

Branco et al. 2021, table 7: a model trained on each benchmark is applied, unchanged, to all others,
each in its own format and with its own number of choices. Misleads where benchmarks share a surface
regularity, or items: both carry over without any understanding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal, get_args

from ..._infra.progress import track
from ..._infra.validation import check_choice, check_range
from ...capabilities import Learner
from ...errors import BadInput
from ...models import load
from ...models.hf import Hf
from ...types import Benchmark, Result, Subject, Table
from .matrix import (
    MATRIX_COLUMNS,
    MatrixCell,
    accuracy_table,
    build_cell,
    correct_cells,
    overlap_evidence,
)
from .roles import Participant, build_participants, training_sources
from .runs import SourceRun, train_and_save, train_in_memory
from .verdict import (
    TransferFindings,
    build_estimates,
    decide_verdict,
    key_estimate_name,
    write_notes,
    write_summary,
)

RunChoice = Literal["mean", "best"]
RUN_COLUMNS = ("trained_on", "tested_on", "seed", "accuracy", "train_accuracy")


@dataclass(frozen=True, slots=True)
class Transfer:
    """A model trained on every benchmark that has a training split, tested on all of them."""

    needs: ClassVar[tuple[str, ...]] = ("others",)
    subject: ClassVar[Subject] = "models"

    model: str = "bow"  # a model that learns: bow, hf:FOLDER,recipe=branco
    view: str = "full"  # what it sees of an item, in training and testing: full, choices
    seeds: int = 3  # number of trainings on each benchmark
    over: RunChoice = "mean"  # mean of the runs, or the run that is best on its own benchmark
    keep: str | None = None  # folder to save models of hf and their scores in, for reuse
    level: float = 0.05  # significance level against chance, Holm-corrected

    def __post_init__(self) -> None:
        check_range("seeds", self.seeds, 1)
        check_choice("over", self.over, get_args(RunChoice))
        check_range("level", self.level, 0, 1)
        if self.keep is not None and "," in self.keep:
            raise BadInput(
                "--keep", f"{self.keep}: the name of the folder must not contain a comma"
            )

    def __call__(self, benchmark: Benchmark, others: Sequence[Benchmark] = ()) -> Result:
        participants = build_participants(benchmark, others)
        model, messages = load(self.model), list[str]()
        if not isinstance(model, Learner):
            raise BadInput(
                "--model", f"{self.model} cannot be trained; choose a model that can, such as bow"
            )
        saves_models = self.keep is not None and isinstance(
            model, Hf
        )  # what `saved:` can read again
        jobs = self._train_all(participants, saves_models, messages.append)
        runs = [*track(jobs, len(training_sources(participants)) * self.seeds, "transfer")]
        cells = correct_cells([*self._build_cells(participants, runs)], self.level)
        findings = TransferFindings(self.model, self.over, self.level, participants, cells, runs)
        not_saved_notes = (f"{self.model} cannot be saved, so it is trained again each time.",)
        return Result(
            probe="transfer",
            params=asdict(self),
            verdict=decide_verdict(findings),
            summary=write_summary(findings),
            key=key_estimate_name(findings),
            subject=self.subject,
            estimates=build_estimates(findings),
            tables={
                "accuracy": accuracy_table(participants, cells),
                "matrix": Table(
                    MATRIX_COLUMNS,
                    tuple(cell.table_row(findings.short_model_name, self.over) for cell in cells),
                ),
                "runs": Table(RUN_COLUMNS, tuple(row for run in runs for row in _run_rows(run))),
            },
            evidence=overlap_evidence(cells, benchmark.name),
            notes=(
                *(not_saved_notes if self.keep and not saves_models else ()),
                *messages,
                *write_notes(findings),
            ),
        )

    def _train_all(
        self, participants: Sequence[Participant], saves_models: bool, report: Callable[[str], None]
    ) -> Iterator[SourceRun]:
        """Train the models one after the other, and apply each to every benchmark."""
        for source in training_sources(participants):
            if saves_models and self.keep is not None:
                yield from train_and_save(
                    source, participants, self.model, self.view, self.seeds, self.keep, report
                )
            else:
                yield from train_in_memory(source, participants, self.model, self.view, self.seeds)

    def _build_cells(
        self, participants: Sequence[Participant], runs: Sequence[SourceRun]
    ) -> Iterator[MatrixCell]:
        for source in training_sources(participants):
            source_runs = [run for run in runs if run.source == source.name]
            for target in participants:
                yield build_cell(source, target, source_runs, self.over == "best")


def _run_rows(run: SourceRun) -> Iterator[tuple[str | int | float | None, ...]]:
    """Yield a row for each benchmark that a model was tested on."""
    for target, item_credits in run.credits.items():
        yield run.source, target, run.run.seed, float(item_credits.mean()), run.train_accuracy
