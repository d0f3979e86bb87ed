"""Commands that run models: predict."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ._main import cli
from ._reading import BENCH_HELP, load, reading

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..predict import Engine, Row, Run
    from ..types import Benchmark, Predictions

AUTO = "auto"
SEEDS = 20


def running(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags that say how models are run (`Means`)."""
    options = [
        click.option("--recipe", metavar="NAME",
                     help="Train by this recipe (default, kavumba-bert, kavumba-roberta, "
                     "kavumba-albert, niven-bert, branco, branco-gpt2, branco-t5): sets `recipe` "
                     "of every model that has it and is not given one of its own."),
        click.option("--deterministic", is_flag=True,
                     help="The same scores on every run, if slower: sets `deterministic` of every "
                     "model that has it."),
        click.option("--jobs", default=AUTO, show_default=True, metavar="N",
                     help="How many runs at a time; auto: one, or as many as there are cores for a "
                     "model that is slow on one."),
        click.option("--engine", type=click.Choice(("local", "ray")), default="local",
                     show_default=True, help="Processes of this machine, or tasks of Ray: on the "
                     "cluster at $RAY_ADDRESS, else here."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Means:
    """How models are run: what is set for all of them, how many at a time, by whom."""

    recipe: str | None
    deterministic: bool
    jobs: str
    engine: Engine

    @classmethod
    def taken(cls, flags: dict[str, Any]) -> Means:
        """Out of the flags of a command."""
        means = cls(*(flags.pop(name) for name in ("recipe", "deterministic", "jobs", "engine")))
        if means.jobs != AUTO:
            if not means.jobs.lstrip("-").isdecimal():
                raise BadInput("--jobs", f"is {means.jobs!r}, must be {AUTO} or a number")
            _at_least_one("--jobs", int(means.jobs))
        return means

    def set_in(self, models: Sequence[str]) -> Sequence[str]:
        """The models with the parameters that are set for all of them."""
        if self.recipe is not None:
            models = _set(models, "--recipe", self.recipe, None)
        return _set(models, "--deterministic", "true", bool) if self.deterministic else models

    def seeds(self, asked: str | None) -> Sequence[int]:
        """So many, or those that are named, or those that the recipe was published with."""
        if asked is None and self.recipe is not None:
            from ..training.recipes import RECIPES, named

            if (
                self.recipe.replace("_", "-") in RECIPES
            ):  # a model of the user's may have recipes of its own
                return named(self.recipe).seeds
        numbers = (asked or str(SEEDS)).split(",")
        if not all(number.strip().isdecimal() for number in numbers):
            raise BadInput("--seeds", f"is {asked!r}, must be a number, or several: 42,1128")
        if len(numbers) > 1:
            return tuple(dict.fromkeys(map(int, numbers)))
        _at_least_one("--seeds", int(numbers[0]))
        return range(int(numbers[0]))

    def number(self, models: Sequence[str]) -> int:
        """How many runs of these at a time."""
        if self.jobs != AUTO:
            return int(self.jobs)
        return _cores() if self.engine == "ray" or _worth_cores(models) else 1


def _set(models: Sequence[str], flag: str, value: str, kind: type | None) -> Sequence[str]:
    from ..models import with_parameter

    name = flag.removeprefix("--")
    if not models:
        raise BadInput(flag, "says how to train a model: name one with --model")
    changed = [with_parameter(spec, name, value, kind) for spec in models]
    if not any(changed):
        raise BadInput(flag, f"no parameter {name} in {', '.join(models)}: leave it out")
    return [new or old for new, old in zip(changed, models, strict=True)]


def _worth_cores(models: Sequence[str]) -> bool:
    """Whether one of them is slow and none of them wants many runs, on a GPU, for itself."""
    from ..models import load
    from ..predict import room

    made = [load(spec) for spec in models]
    return any(getattr(one, "slow", False) for one in made) and all(room(one) == 1 for one in made)


def _cores() -> int:
    """As many as this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cli.command(epilog=BENCH_HELP)
@click.argument("bench")
@click.option("--model", "models", multiple=True, required=True, metavar="NAME",
              help="A model (`hansproof list models`), with parameters (bow:ngram=1), or a file of "
              "your own (./mine.py); repeat.")  # fmt: skip
@click.option("--views", default="full,choices", show_default=True, metavar="VIEW,...",
              help="What it may see: full, or parts joined by + (premise+choices); with /alone one "
              "choice at a time, with /shuffled other items' fields.")  # fmt: skip
@click.option("--seeds", metavar="N", help="How many seeds: 0, 1, 2 ..., or which: 42,1128; by "
              "default those of --recipe, else 20.")  # fmt: skip
@running
@click.option("--store", "folder", default="store", show_default=True, metavar="DIR",
              help="Folder for one predictions.jsonl per run; what it holds is not run again.",
              )  # fmt: skip
@click.option("--keep", metavar="DIR",
              help="Also save what is trained, in a folder for each run: where a model can do that "
              "and is trained on another split.")  # fmt: skip
@click.option("--protocol", type=click.Choice(("train-test", "cv")),
              help="Train on another split, or on folds of the one that is scored; by default on "
              "another where the benchmark has one.")  # fmt: skip
@click.option("--split", metavar="SPLIT", help="The part to score: dev, dev+test, pooled.")
@click.option("--folds", default=5, show_default=True, help="How many folds, with cv.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON.")
@reading
def predict(
    bench: str,
    models: tuple[str, ...],
    views: str,
    seeds: str | None,
    folder: str,
    keep: str | None,
    protocol: Any,
    split: str | None,
    folds: int,
    as_json: bool,
    **flags: Any,
) -> None:
    """Train models on what a view shows, score a split, and keep every run.

    A sweep that was killed goes on where it was; several may share a folder. The files are what
    `--predictions` of other commands reads.

    \b
    Examples:
      hansproof predict stable:balanced --model bow --views full,choices --seeds 5
      hansproof predict copa --model bow --model ./mine.py --jobs 4 --store runs
      hansproof predict piqa --model bow:ngram=1 --split train --protocol cv --folds 10
      hansproof predict copa --model hf:bert-large-uncased --recipe kavumba-bert --keep kept
      hansproof predict copa --model lm:./smollm2,score_by=pmi --views full,choices --seeds 1
      hansproof audit copa --predictions 'runs/*.jsonl'
    """
    from .. import predict as predicting
    from ..report.terminal import print_json, print_out

    means = Means.taken(flags)
    numbers = means.seeds(seeds)
    benchmark = load(bench, flags)
    specs, asked = means.set_in(models), views.split(",")
    runs = predicting.plan(benchmark, specs, asked, numbers, protocol, split, folds)
    said = swept(benchmark, runs, folder, means, keep)
    rows = predicting.rows(benchmark, runs, said, folder)
    notes = predicting.notes(benchmark, rows)
    if as_json:
        print_json({"benchmark": benchmark.name, "rows": [*map(asdict, rows)], "notes": notes})
    else:
        print_out(_view(benchmark.name, rows, [*map("note: {}".format, notes), _where(folder)]))


def trained(
    benchmark: Benchmark, models: Sequence[str], seeds: int, means: Means, folder: str
) -> Sequence[Predictions]:
    """What models say of all the usual views, for an audit."""
    from .. import predict as predicting
    from ..views import fields_of, name_of, usual

    _at_least_one("--seeds", seeds)
    fields = fields_of(item for items in benchmark.splits.values() for item in items)
    views = [name_of(view, fields) for view in usual(fields)]
    runs = predicting.plan(benchmark, models, views, range(seeds))
    said = swept(benchmark, runs, folder, means)
    for note in predicting.notes(benchmark, predicting.rows(benchmark, runs, said, folder)):
        mention(f"note: {note}")
    return said


def _at_least_one(flag: str, number: int) -> None:
    if number < 1:
        raise BadInput(flag, f"is {number}, must be at least 1")


def swept(
    benchmark: Benchmark, runs: Sequence[Run], folder: str, means: Means, keep: str | None = None
) -> Sequence[Predictions]:
    """What runs say, with a bar while they last."""
    from ..predict import sweep
    from ..progress import counting

    jobs = means.number([*dict.fromkeys(run.model for run in runs)])
    with counting(len(runs), "runs") as progress:
        return sweep(benchmark, runs, folder, jobs, progress, mention, keep, means.engine)


def mention(line: str) -> None:
    """A line for people, beside the output."""
    click.echo(f"hansproof: {line}", err=True)


def _where(folder: str) -> str:
    return f"files: {os.path.join(folder, '*.jsonl')} (those of each row: --json)"


def _view(title: str, rows: Sequence[Row], lines: Sequence[str]) -> RenderableType:
    """A table for people, and what to know of it."""
    from rich.console import Group
    from rich.text import Text

    from ..report.rows import Rows
    from ..report.visible import visible

    columns = ["model", "split", "view", "trained on", "accuracy", "sd", "range", "chance", "n",
               "ties", "seeds", "on training"]  # fmt: skip
    failed = any(row.degenerate for row in rows)
    columns += ["degenerate", "without these"] if failed else []
    cells = [[*map(visible, _cells(row, failed))] for row in rows]
    return Group(Rows(visible(title), columns, cells), *(Text(visible(x), "dim") for x in lines))


def _cells(row: Row, failed: bool) -> list[str]:
    ends = dict.fromkeys((_share(row.min), _share(row.max)))  # one, where all seeds agree
    cells = [
        row.model, row.split, row.view, "folds" if row.protocol == "cv" else row.trained_on or "–",
        _share(row.accuracy), _share(row.sd), " to ".join(ends), _share(row.chance), str(row.n),
        _share(row.tie_rate), str(row.seeds), _share(row.train_accuracy),
    ]  # fmt: skip
    return [*cells, str(row.degenerate), _share(row.accuracy_without)] if failed else cells


def _share(value: float | None) -> str:
    from ..report.numbers import share

    return "–" if value is None else share(value)
