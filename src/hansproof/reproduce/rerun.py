"""Rows that take a model: trained again, by the paper's recipe, with whatever model there is.

    >>> asked = Asked("hf:./mpnet,pooling=mean", seeds=(0, 1, 2), sweep=...)
    >>> reruns = fill(read("kavumba2019"), ["table-5"], asked)

Without a model of the user's every row is trained with the checkpoint that the paper had.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Protocol, cast

from ..edits.halve import Halve
from ..errors import BadInput
from ..models import load, with_parameter
from ..models.hf import Hf
from ..predict import Run, Trained, all_trained, plan
from ..predict._entries import entries
from ..predict._keep import weights
from ..probes._systems import System, systems
from ..training.recipes import named
from ..types import FULL, Benchmark, Predictions
from .figures import Paper, Place, Printed
from .ours import Ours
from .released import Released

HALF = "/2"  # behind the name of a benchmark: half of its groups to train on

Sweep = Callable[[Benchmark, Sequence[Run], str | None], Sequence[Predictions]]


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
    """With which model, how often, who runs it, and where weights are kept for a second look."""

    model: str | None  # None: the paper's own checkpoints
    seeds: Sequence[int] | None  # None: as many as the paper had
    sweep: Sweep
    keep: str = "kept"

    def times(self, recipe: str) -> Sequence[int]:
        """The seeds."""
        return named(recipe).seeds if self.seeds is None else self.seeds


# a table that takes more than scores: its printed figures, with whom, from what
More = Callable[[Printed, Asked, Released], Mapping[tuple[int, str], Ours]]


def fill(
    paper: Paper, tables: Collection[str], asked: Asked, data: str | None = None
) -> dict[Place, Ours]:
    """The figures of rows that a model can give, each job done once."""
    released, models = Released(data), _models(paper)
    rows = [row for row in models.rows(paper) if not tables or row.table in tables]
    more = {id: one for id, one in models.MORE.items() if not tables or id in tables}
    if not rows and not more:
        raise BadInput("--model", f"no row of {', '.join(tables) or paper.key} can be run again")
    found: dict[Place, Ours] = {}
    for id, compute in more.items():  # first: these need the weights of runs that others share
        cells = compute(paper.tables[id], asked, released)
        found |= {(id, row, column): ours for (row, column), ours in cells.items()}
    for job in dict.fromkeys(row.job for row in rows):
        system = _run(job, asked, released)
        for one in rows:
            if one.job == job and system is not None:
                by = asked.model or job.checkpoint
                for column, ours in one.cells(system, released).items():
                    found[one.table, one.row, column] = replace(ours, by=by)
    return found


class Models(Protocol):
    """What there is for the models of a paper."""

    MORE: Mapping[str, More]

    def rows(self, paper: Paper) -> Iterator[Row]: ...


def _models(paper: Paper) -> Models:
    return cast(Models, import_module(f".{paper.key}.models", __package__))


def rows_of(paper: Paper) -> Iterator[Row]:
    """All rows of a paper that are trained, in the order of its tables."""
    yield from _models(paper).rows(paper)


def _run(job: Job, asked: Asked, released: Released) -> System | None:
    """What the runs of a job say; None where the model is of another kind."""
    spec = spec_of(job, asked.model)
    if spec is None:
        return None
    benchmark, runs = _planned(job, spec, asked, released)
    (found,) = systems(benchmark, asked.sweep(benchmark, runs, None))
    return found


def trained(job: Job, asked: Asked, released: Released) -> list[Trained]:
    """The models of a job themselves; none where they are gone, or cannot be looked into."""
    spec = spec_of(job, asked.model)
    if spec is None or not isinstance(load(spec), Hf):
        return []
    benchmark, runs = _planned(job, spec, asked, released)
    asked.sweep(benchmark, runs, asked.keep)
    folders = [weights(asked.keep, place) for place in entries(benchmark, runs)]
    if not all(map(os.path.isdir, folders)):  # runs of before, as the sweep has said
        return []
    return all_trained(benchmark, folders)


def _planned(
    job: Job, spec: str, asked: Asked, released: Released
) -> tuple[Benchmark, tuple[Run, ...]]:
    benchmark = benchmark_of(job.benchmark, released)
    seeds = asked.times(job.recipe)
    return benchmark, plan(benchmark, [spec], [job.view], seeds, "train-test")


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
