"""Retrain the models of a paper's tables, by the paper's recipe.

    >>> request = RetrainRequest("hf:./mpnet,pooling=mean", seeds=(0, 1, 2), sweep=...)
    >>> retrained = retrain_rows(load_paper("kavumba2019"), ["table-5"], request)

Without a model in the request every row is trained from the paper's checkpoint.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Literal, Protocol, cast

from ..edits.halve import Halve
from ..errors import BadInput, HansproofError
from ..inputs.systems import System, build_systems
from ..models import load, with_parameter
from ..models.hf import Hf
from ..sweeps import RunSpec, plan_runs
from ..sweeps.run_keys import build_run_keys
from ..sweeps.saved_models import model_folder
from ..training.recipes import get_recipe
from ..types import FULL, Benchmark, Predictions
from .computed_figures import ComputedCells, ComputedFigure
from .paper_data import PaperData
from .printed_figures import CellKey, Paper, PrintedTable

HALF_SUFFIX = "/2"  # after a benchmark's name: train on half of its groups

SweepFunction = Callable[[Benchmark, Sequence[RunSpec], str | None], Sequence[Predictions]]
# tuned: all weights are fine-tuned.  frozen, joined: a support vector machine on frozen vectors, of
# fields and choice separately or joined.  next: next-sentence prediction without training.
ModelUse = Literal["tuned", "frozen", "joined", "next"]


@dataclass(frozen=True, slots=True)
class RetrainJob:
    """A model to train: benchmark, recipe, checkpoint, view, and how the checkpoint is used."""

    benchmark: str
    recipe: str
    checkpoint: str  # the paper's
    view: str = FULL
    use: ModelUse = "tuned"
    paper_only: bool = False  # skip the job if the request names another model


ComputeRunCells = Callable[[System, PaperData], Mapping[str, ComputedFigure]]


@dataclass(frozen=True, slots=True)
class RetrainRow:
    """A row of a table, its job, and the function that computes its figures from the runs."""

    table: str
    index: int
    job: RetrainJob
    compute_cells: ComputeRunCells


@dataclass(frozen=True, slots=True)
class RetrainRequest:
    """The model to train, its seeds, the function that runs sweeps, and a folder for weights."""

    model: str | None  # None: the paper's own checkpoints
    seeds: Sequence[int] | None  # None: the seeds of the paper's recipe
    sweep: SweepFunction
    keep_dir: str = "kept"
    report: Callable[[str], None] = lambda line: None

    def model_name(self, job: RetrainJob) -> str:
        """Return the name of the model that a job trains."""
        return self.model or job.checkpoint


# computes a table that needs the trained models themselves, not only their scores
RetrainTable = Callable[[PrintedTable, RetrainRequest, PaperData], ComputedCells]


def retrain_rows(
    paper: Paper, tables: Collection[str], request: RetrainRequest, data: str | None = None
) -> dict[CellKey, ComputedFigure]:
    """Compute the figures that need a model; every job runs once.

    Jobs that fail (a missing checkpoint, missing word vectors) are left out and reported at the
    end, so that they do not cost the work of days. If all fail, the first error is raised.
    """
    paper_data = PaperData(data)
    computed: dict[CellKey, ComputedFigure] = {}
    failures: list[tuple[str, HansproofError]] = []
    for name, retrain in _plan_retraining(paper, tables, request, paper_data):
        try:
            computed |= retrain()
        except HansproofError as error:
            failures.append((name, error))
    if not computed:
        message = f"no row of {', '.join(tables) or paper.key} can be retrained"
        flag = "--model" if request.model else "--full"
        raise failures[0][1] if failures else BadInput(flag, message)
    for name, failure in failures:
        request.report(f"left out: {name}: {failure}")
    return computed


def _plan_retraining(
    paper: Paper, tables: Collection[str], request: RetrainRequest, data: PaperData
) -> Iterator[tuple[str, Callable[[], dict[CellKey, ComputedFigure]]]]:
    """Yield a description and a function for everything to run.

    Tables that need weights come first: other rows share their runs, and a run whose weights were
    not kept would have to be trained again.
    """
    models = _load_models_module(paper)
    for table_id, compute in models.MODEL_TABLES.items():
        if not tables or table_id in tables:
            yield table_id, partial(_retrain_table, table_id, compute, paper, request, data)
    rows = [row for row in models.model_rows(paper) if not tables or row.table in tables]
    for job in dict.fromkeys(row.job for row in rows):
        job_rows = [row for row in rows if row.job == job]
        description = f"{request.model_name(job)} on {job.benchmark}, {job.view}"
        yield description, partial(_retrain_job, job_rows, request, data)


def _retrain_table(
    table_id: str, compute: RetrainTable, paper: Paper, request: RetrainRequest, data: PaperData
) -> dict[CellKey, ComputedFigure]:
    cells = compute(paper.tables[table_id], request, data)
    return {(table_id, row, column): figure for (row, column), figure in cells.items()}


def _retrain_job(
    rows: Sequence[RetrainRow], request: RetrainRequest, data: PaperData
) -> dict[CellKey, ComputedFigure]:
    """Compute the figures of rows that share a job."""
    job = rows[0].job
    runs = run_job(job, request, data)
    if runs is None:
        return {}
    return {
        (row.table, row.index, column): replace(figure, model=request.model_name(job))
        for row in rows
        for column, figure in row.compute_cells(runs, data).items()
    }


class ModelsModule(Protocol):
    """The `models` module of a paper."""

    MODEL_TABLES: Mapping[str, RetrainTable]

    def model_rows(self, paper: Paper) -> Iterator[RetrainRow]: ...


def _load_models_module(paper: Paper) -> ModelsModule:
    return cast(ModelsModule, import_module(f".{paper.key}.models", __package__))


def load_model_rows(paper: Paper) -> Iterator[RetrainRow]:
    """Yield the rows of a paper that need a trained model, in the order of its tables."""
    yield from _load_models_module(paper).model_rows(paper)


def run_job(job: RetrainJob, request: RetrainRequest, data: PaperData) -> System | None:
    """Run a job; None if the requested model cannot be used for it."""
    spec = model_spec(job, request.model)
    if spec is None:
        return None
    benchmark, runs = _plan_runs(job, spec, request, data)
    (system,) = build_systems(benchmark, request.sweep(benchmark, runs, None))
    return system


def keep_models(job: RetrainJob, request: RetrainRequest, data: PaperData) -> list[str]:
    """Run a job and return the folders of its trained models; empty if any is missing."""
    spec = model_spec(job, request.model)
    if spec is None or not isinstance(load(spec), Hf):
        return []
    benchmark, runs = _plan_runs(job, spec, request, data)
    request.sweep(benchmark, runs, request.keep_dir)
    folders = [
        model_folder(request.keep_dir, run_key) for run_key in build_run_keys(benchmark, runs)
    ]
    # earlier runs may have been saved without weights; the sweep has reported them
    return folders if all(map(os.path.isdir, folders)) else []


def best_model_folder(job: RetrainJob, request: RetrainRequest, data: PaperData) -> str | None:
    """Return the folder of the run that is most accurate on its own benchmark."""
    folders = keep_models(job, request, data)
    runs = run_job(job, request, data) if folders else None
    return None if runs is None else folders[int(runs.credits.mean(axis=1).argmax())]


def _plan_runs(
    job: RetrainJob, spec: str, request: RetrainRequest, data: PaperData
) -> tuple[Benchmark, tuple[RunSpec, ...]]:
    benchmark = load_job_benchmark(job.benchmark, data)
    seeds = get_recipe(job.recipe).seeds if request.seeds is None else request.seeds
    return benchmark, plan_runs(benchmark, [spec], [job.view], seeds, "train-test")


def model_spec(job: RetrainJob, model: str | None) -> str | None:
    """Build the model spec of a job, with the paper's recipe if the model takes one."""
    if job.paper_only and model is not None:
        return None
    if job.use == "next":
        return f"nsp:{job.checkpoint}"
    spec = model or f"hf:{job.checkpoint}"
    if job.use == "tuned":
        return with_parameter(spec, "recipe", job.recipe) or spec
    loaded_model = load(spec)
    source, pooling = getattr(loaded_model, "source", ""), getattr(loaded_model, "pooling", "")
    if not source:
        return None
    pooling_parameter = f",pooling={pooling}" if pooling in ("first", "mean") else ""
    return (
        f"frozen_svm:encoder={source},joined={str(job.use == 'joined').lower()}{pooling_parameter}"
    )


def load_job_benchmark(name: str, data: PaperData) -> Benchmark:
    """Load the benchmark of a job, halved if its name says so."""
    benchmark = data.benchmark(name.removesuffix(HALF_SUFFIX))
    if not name.endswith(HALF_SUFFIX):
        return benchmark
    half = Halve(split=benchmark.roles["train"])(benchmark).benchmark
    return replace(half, name=f"{benchmark.name}_half")


def describe_runs(system: System) -> str:
    """Describe runs in a note: their number, the sample size, the device."""
    run = system.runs[0]
    seeds = len(system.runs)
    parts = [f"{seeds} run{'s' * (seeds > 1)}", f"n = {len(system.items)}", run.device]
    return ", ".join(part for part in parts if part)
