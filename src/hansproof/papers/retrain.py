"""Rows that take a model: trained again, by the paper's recipe, with whatever model there is.

    >>> asked = Asked("hf:./mpnet,pooling=mean", seeds=(0, 1, 2), sweep=...)
    >>> reruns = fill(read("kavumba2019"), ["table-5"], asked)

Without a model of the user's every row is trained with the checkpoint that the paper had.
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
from .computed import ComputedCells, ComputedFigure
from .paper_data import PaperData
from .printed import CellKey, Paper, PrintedTable

HALF_SUFFIX = "/2"  # behind the name of a benchmark: half of its groups to train on

SweepFunction = Callable[[Benchmark, Sequence[RunSpec], str | None], Sequence[Predictions]]
# all of it tuned; frozen under a support vector machine, fields and choice apart or joined; or
# nothing learnt: whether the choice is the next sentence
ModelUse = Literal["tuned", "frozen", "joined", "next"]


@dataclass(frozen=True, slots=True)
class RetrainJob:
    """What is trained for a row: on what, what it sees, how, and from which weights."""

    benchmark: str
    recipe: str
    checkpoint: str  # of the paper
    view: str = FULL
    use: ModelUse = "tuned"
    paper_only: bool = (
        False  # with the paper's weights or not at all: a model of the user's has its row
    )


ComputeRunCells = Callable[[System, PaperData], Mapping[str, ComputedFigure]]


@dataclass(frozen=True, slots=True)
class RetrainRow:
    """A row of a table, and how its figures follow from the runs of a job."""

    table: str
    index: int
    job: RetrainJob
    compute_cells: ComputeRunCells


@dataclass(frozen=True, slots=True)
class RetrainRequest:
    """With which model, how often, who runs it, and where weights are kept for a second look."""

    model: str | None  # None: the paper's own checkpoints
    seeds: Sequence[int] | None  # None: as many as the paper had
    sweep: SweepFunction
    keep_dir: str = "kept"
    report: Callable[[str], None] = lambda line: None

    def model_name(self, job: RetrainJob) -> str:
        """Who fills the figures of a job."""
        return self.model or job.checkpoint


# a table that takes more than scores: its printed figures, with whom, from what
RetrainTable = Callable[[PrintedTable, RetrainRequest, PaperData], ComputedCells]


def retrain_rows(
    paper: Paper, tables: Collection[str], request: RetrainRequest, data: str | None = None
) -> dict[CellKey, ComputedFigure]:
    """The figures that a model can give, each job done once.

    What cannot be run is left out, and said in the end: the lack of a checkpoint or of word
    vectors shall not cost the work of days. Where nothing can be run, the first reason is raised.
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
        message = f"no row of {', '.join(tables) or paper.key} can be run again"
        flag = "--model" if request.model else "--full"
        raise failures[0][1] if failures else BadInput(flag, message)
    for name, failure in failures:
        request.report(f"left out: {name}: {failure}")
    return computed


def _plan_retraining(
    paper: Paper, tables: Collection[str], request: RetrainRequest, data: PaperData
) -> Iterator[tuple[str, Callable[[], dict[CellKey, ComputedFigure]]]]:
    """What is to be run, by a name for it: first what needs the weights of runs that others share.

    A run whose weights were not kept would have to be trained again.
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
    """The figures of rows that share a job."""
    job = rows[0].job
    runs = run_job(job, request, data)
    if runs is None:
        return {}
    return {
        (row.table, row.index, column): replace(figure, by=request.model_name(job))
        for row in rows
        for column, figure in row.compute_cells(runs, data).items()
    }


class ModelsModule(Protocol):
    """What there is for the models of a paper."""

    MODEL_TABLES: Mapping[str, RetrainTable]

    def model_rows(self, paper: Paper) -> Iterator[RetrainRow]: ...


def _load_models_module(paper: Paper) -> ModelsModule:
    return cast(ModelsModule, import_module(f".{paper.key}.models", __package__))


def load_model_rows(paper: Paper) -> Iterator[RetrainRow]:
    """All rows of a paper that are trained, in the order of its tables."""
    yield from _load_models_module(paper).model_rows(paper)


def run_job(job: RetrainJob, request: RetrainRequest, data: PaperData) -> System | None:
    """What the runs of a job say; None where the model is of another kind."""
    spec = model_spec(job, request.model)
    if spec is None:
        return None
    benchmark, runs = _plan_runs(job, spec, request, data)
    (system,) = build_systems(benchmark, request.sweep(benchmark, runs, None))
    return system


def keep_models(job: RetrainJob, request: RetrainRequest, data: PaperData) -> list[str]:
    """Folders of the models themselves, by run; none where they are gone, or cannot be kept."""
    spec = model_spec(job, request.model)
    if spec is None or not isinstance(load(spec), Hf):
        return []
    benchmark, runs = _plan_runs(job, spec, request, data)
    request.sweep(benchmark, runs, request.keep_dir)
    folders = [
        model_folder(request.keep_dir, run_key) for run_key in build_run_keys(benchmark, runs)
    ]
    # of runs of before there may be none, as the sweep has said
    return folders if all(map(os.path.isdir, folders)) else []


def best_model_folder(job: RetrainJob, request: RetrainRequest, data: PaperData) -> str | None:
    """The folder of the model that has most right where it was trained."""
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
    """The model of a job, with the paper's recipe where it has one."""
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
    """The benchmark of a job."""
    benchmark = data.benchmark(name.removesuffix(HALF_SUFFIX))
    if not name.endswith(HALF_SUFFIX):
        return benchmark
    half = Halve(split=benchmark.roles["train"])(benchmark).benchmark
    return replace(half, name=f"{benchmark.name}_half")


def describe_runs(system: System) -> str:
    """What a number needs beside it."""
    run = system.runs[0]
    seeds = len(system.runs)
    parts = [f"{seeds} run{'s' * (seeds > 1)}", f"n = {len(system.items)}", run.device]
    return ", ".join(part for part in parts if part)
