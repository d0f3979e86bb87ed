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
from ..models import load, with_parameter
from ..models.hf import Hf
from ..predict import Run, plan
from ..predict._entries import entries
from ..predict._keep import weights
from ..probes._systems import System, systems
from ..training.recipes import named
from ..types import FULL, Benchmark, Predictions
from .figures import Paper, Place, Printed
from .ours import Cells, Ours
from .released import Released

HALF = "/2"  # behind the name of a benchmark: half of its groups to train on

Sweep = Callable[[Benchmark, Sequence[Run], str | None], Sequence[Predictions]]
# all of it tuned; frozen under a support vector machine, fields and choice apart or joined; or
# nothing learnt: whether the choice is the next sentence
Use = Literal["tuned", "frozen", "joined", "next"]


@dataclass(frozen=True, slots=True)
class Job:
    """What is trained for a row: on what, what it sees, how, and from which weights."""

    benchmark: str
    recipe: str
    checkpoint: str  # of the paper
    view: str = FULL
    use: Use = "tuned"
    own: bool = False  # with the paper's weights or not at all: a model of the user's has its row


RunCells = Callable[[System, Released], Mapping[str, Ours]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, and how its figures follow from the runs of a job."""

    table: str
    row: int
    job: Job
    cells: RunCells


@dataclass(frozen=True, slots=True)
class Asked:
    """With which model, how often, who runs it, and where weights are kept for a second look."""

    model: str | None  # None: the paper's own checkpoints
    seeds: Sequence[int] | None  # None: as many as the paper had
    sweep: Sweep
    keep: str = "kept"
    say: Callable[[str], None] = lambda line: None

    def by(self, job: Job) -> str:
        """Who fills the figures of a job."""
        return self.model or job.checkpoint


# a table that takes more than scores: its printed figures, with whom, from what
More = Callable[[Printed, Asked, Released], Cells]


def fill(
    paper: Paper, tables: Collection[str], asked: Asked, data: str | None = None
) -> dict[Place, Ours]:
    """The figures that a model can give, each job done once.

    What cannot be run is left out, and said in the end: the lack of a checkpoint or of word
    vectors shall not cost the work of days. Where nothing can be run, the first reason is raised.
    """
    released = Released(data)
    found: dict[Place, Ours] = {}
    failed: list[tuple[str, HansproofError]] = []
    for what, run in _parts(paper, tables, asked, released):
        try:
            found |= run()
        except HansproofError as error:
            failed.append((what, error))
    if not found:
        none = f"no row of {', '.join(tables) or paper.key} can be run again"
        flag = "--model" if asked.model else "--full"
        raise failed[0][1] if failed else BadInput(flag, none)
    for what, why in failed:
        asked.say(f"left out: {what}: {why}")
    return found


def _parts(
    paper: Paper, tables: Collection[str], asked: Asked, released: Released
) -> Iterator[tuple[str, Callable[[], dict[Place, Ours]]]]:
    """What is to be run, by a name for it: first what needs the weights of runs that others share.

    A run whose weights were not kept would have to be trained again.
    """
    models = _models(paper)
    for id, compute in models.MORE.items():
        if not tables or id in tables:
            yield id, partial(_more, id, compute, paper, asked, released)
    rows = [row for row in models.rows(paper) if not tables or row.table in tables]
    for job in dict.fromkeys(row.job for row in rows):
        same = [row for row in rows if row.job == job]
        about = f"{asked.by(job)} on {job.benchmark}, {job.view}"
        yield about, partial(_filled, same, asked, released)


def _more(
    id: str, compute: More, paper: Paper, asked: Asked, released: Released
) -> dict[Place, Ours]:
    cells = compute(paper.tables[id], asked, released)
    return {(id, row, column): ours for (row, column), ours in cells.items()}


def _filled(rows: Sequence[Row], asked: Asked, released: Released) -> dict[Place, Ours]:
    """The figures of rows that share a job."""
    job = rows[0].job
    runs = ran(job, asked, released)
    if runs is None:
        return {}
    return {
        (one.table, one.row, column): replace(ours, by=asked.by(job))
        for one in rows
        for column, ours in one.cells(runs, released).items()
    }


class Models(Protocol):
    """What there is for the models of a paper."""

    MORE: Mapping[str, More]

    def rows(self, paper: Paper) -> Iterator[Row]: ...


def _models(paper: Paper) -> Models:
    return cast(Models, import_module(f".{paper.key}.models", __package__))


def rows_of(paper: Paper) -> Iterator[Row]:
    """All rows of a paper that are trained, in the order of its tables."""
    yield from _models(paper).rows(paper)


def ran(job: Job, asked: Asked, released: Released) -> System | None:
    """What the runs of a job say; None where the model is of another kind."""
    spec = spec_of(job, asked.model)
    if spec is None:
        return None
    benchmark, runs = _planned(job, spec, asked, released)
    (found,) = systems(benchmark, asked.sweep(benchmark, runs, None))
    return found


def kept(job: Job, asked: Asked, released: Released) -> list[str]:
    """Folders of the models themselves, by run; none where they are gone, or cannot be kept."""
    spec = spec_of(job, asked.model)
    if spec is None or not isinstance(load(spec), Hf):
        return []
    benchmark, runs = _planned(job, spec, asked, released)
    asked.sweep(benchmark, runs, asked.keep)
    folders = [weights(asked.keep, place) for place in entries(benchmark, runs)]
    # of runs of before there may be none, as the sweep has said
    return folders if all(map(os.path.isdir, folders)) else []


def best(job: Job, asked: Asked, released: Released) -> str | None:
    """The folder of the model that has most right where it was trained."""
    folders = kept(job, asked, released)
    runs = ran(job, asked, released) if folders else None
    return None if runs is None else folders[int(runs.credits.mean(axis=1).argmax())]


def _planned(
    job: Job, spec: str, asked: Asked, released: Released
) -> tuple[Benchmark, tuple[Run, ...]]:
    benchmark = benchmark_of(job.benchmark, released)
    seeds = named(job.recipe).seeds if asked.seeds is None else asked.seeds
    return benchmark, plan(benchmark, [spec], [job.view], seeds, "train-test")


def spec_of(job: Job, model: str | None) -> str | None:
    """The model of a job, with the paper's recipe where it has one."""
    if job.own and model is not None:
        return None
    if job.use == "next":
        return f"nsp:{job.checkpoint}"
    spec = model or f"hf:{job.checkpoint}"
    if job.use == "tuned":
        return with_parameter(spec, "recipe", job.recipe) or spec
    made = load(spec)
    source, pooling = getattr(made, "source", ""), getattr(made, "pooling", "")
    if not source:
        return None
    pooled = f",pooling={pooling}" if pooling in ("first", "mean") else ""
    return f"frozen_svm:encoder={source},joined={str(job.use == 'joined').lower()}{pooled}"


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
