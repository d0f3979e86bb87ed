"""Rows that take a model: trained again, by the paper's recipe, with whatever model there is.

    >>> asked = Asked("hf:./mpnet,pooling=mean", seeds=(0, 1, 2), sweep=...)
    >>> reruns = fill(read("kavumba2019"), ["table-5"], asked)

Without a model of the user's every row is trained with the checkpoint that the paper had.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

from ..edits.halve import Halve
from ..errors import BadInput
from ..models import load, with_parameter
from ..predict import Run, plan
from ..probes._systems import System, systems
from ..training.recipes import named
from ..types import FULL, Benchmark, Predictions
from .figures import Paper, Place
from .ours import Ours
from .released import Released

HALF = "/2"  # behind the name of a benchmark: half of its groups to train on

Sweep = Callable[[Benchmark, Sequence[Run]], Sequence[Predictions]]


@dataclass(frozen=True, slots=True)
class Job:
    """What is trained for a row: on what, what it sees, how, and from which weights."""

    benchmark: str
    recipe: str
    checkpoint: str  # of the paper
    view: str = FULL
    joined: bool | None = None  # frozen, under a support vector machine; else it is tuned


Cells = Callable[[System, Released], Mapping[str, Ours]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, and how its figures follow from the runs of a job."""

    table: str
    row: int
    job: Job
    cells: Cells


@dataclass(frozen=True, slots=True)
class Asked:
    """With which model, how often, and who runs it."""

    model: str | None  # None: the paper's own checkpoints
    seeds: Sequence[int] | None  # None: as many as the paper had
    sweep: Sweep


def fill(
    paper: Paper, tables: Collection[str], asked: Asked, data: str | None = None
) -> dict[Place, Ours]:
    """The figures of rows that a model can give, each job done once."""
    released = Released(data)
    rows = [row for row in rows_of(paper) if not tables or row.table in tables]
    if not rows:
        raise BadInput("--model", f"no row of {', '.join(tables) or paper.key} can be run again")
    found: dict[Place, Ours] = {}
    for job in dict.fromkeys(row.job for row in rows):
        system = _run(job, asked, released)
        for row in rows:
            if row.job == job and system is not None:
                for column, one in row.cells(system, released).items():
                    by = asked.model or job.checkpoint
                    found[row.table, row.row, column] = replace(one, by=by)
    return found


def rows_of(paper: Paper) -> Iterator[Row]:
    """All rows of a paper that are trained, in the order of its tables."""
    models = import_module(f".{paper.key}.models", __package__)
    yield from models.rows(paper)


def _run(job: Job, asked: Asked, released: Released) -> System | None:
    """What the runs of a job say; None where the model is of another kind."""
    spec = spec_of(job, asked.model)
    if spec is None:
        return None
    benchmark = benchmark_of(job.benchmark, released)
    seeds = named(job.recipe).seeds if asked.seeds is None else asked.seeds
    runs = plan(benchmark, [spec], [job.view], seeds, "train-test")
    (found,) = systems(benchmark, asked.sweep(benchmark, runs))
    return found


def spec_of(job: Job, model: str | None) -> str | None:
    """The model of a job, with the paper's recipe where it has one."""
    spec = model or f"hf:{job.checkpoint}"
    if job.joined is None:
        return with_parameter(spec, "recipe", job.recipe) or spec
    made = load(spec)
    source, pooling = getattr(made, "source", ""), getattr(made, "pooling", "")
    if not source:
        return None
    pooled = f",pooling={pooling}" if pooling in ("first", "mean") else ""
    return f"frozen_svm:encoder={source},joined={str(job.joined).lower()}{pooled}"


def benchmark_of(name: str, released: Released) -> Benchmark:
    """The benchmark of a job."""
    whole = released.benchmark(name.removesuffix(HALF))
    if not name.endswith(HALF):
        return whole
    half = Halve(split=whole.roles["train"])(whole).benchmark
    return replace(half, name=f"{whole.name}_half")


def about(system: System) -> str:
    """What a number needs beside it."""
    run = system.runs[0]
    seeds = len(system.runs)
    parts = [f"{seeds} run{'s' * (seeds > 1)}", f"n = {len(system.items)}", run.device]
    return ", ".join(part for part in parts if part)
