"""Commands that run models: predict."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ._main import cli
from ._options import BENCH_HELP, item_options, load_benchmark

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..sweeps import Engine, RunSpec, RunSummary
    from ..types import Benchmark, Predictions

AUTO = "auto"
DEFAULT_SEEDS = 20


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
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
class RunOptions:
    """How models are run: what is set for all of them, how many at a time, by whom."""

    recipe: str | None
    deterministic: bool
    jobs: str
    engine: Engine

    @classmethod
    def from_flags(cls, flags: dict[str, Any]) -> RunOptions:
        """Out of the flags of a command."""
        options = cls(*(flags.pop(name) for name in ("recipe", "deterministic", "jobs", "engine")))
        if options.jobs != AUTO:
            if not options.jobs.lstrip("-").isdecimal():
                raise BadInput("--jobs", f"is {options.jobs!r}, must be {AUTO} or a number")
            _check_positive("--jobs", int(options.jobs))
        return options

    def apply_to(self, models: Sequence[str]) -> Sequence[str]:
        """The models with the parameters that are set for all of them."""
        if self.recipe is not None:
            models = _set_parameter(models, "--recipe", self.recipe, None)
        return (
            _set_parameter(models, "--deterministic", "true", bool)
            if self.deterministic
            else models
        )

    def parse_seeds(self, value: str | None) -> Sequence[int]:
        """So many, or those that are named, or those that the recipe was published with."""
        if value is None and self.recipe is not None:
            from ..training.recipes import RECIPES, get_recipe

            if (
                self.recipe.replace("_", "-") in RECIPES
            ):  # a model of the user's may have recipes of its own
                return get_recipe(self.recipe).seeds
        numbers = (value or str(DEFAULT_SEEDS)).split(",")
        if not all(number.strip().isdecimal() for number in numbers):
            raise BadInput("--seeds", f"is {value!r}, must be a number, or several: 42,1128")
        if len(numbers) > 1:
            return tuple(dict.fromkeys(map(int, numbers)))
        _check_positive("--seeds", int(numbers[0]))
        return range(int(numbers[0]))

    def n_jobs(self, models: Sequence[str]) -> int:
        """How many runs of these at a time."""
        if self.jobs != AUTO:
            return int(self.jobs)
        return _available_cores() if self.engine == "ray" or _should_use_all_cores(models) else 1


def _set_parameter(
    models: Sequence[str], flag: str, value: str, value_type: type | None
) -> Sequence[str]:
    from ..models import with_parameter

    name = flag.removeprefix("--")
    if not models:
        raise BadInput(flag, "says how to train a model: name one with --model")
    changed_specs = [with_parameter(spec, name, value, value_type) for spec in models]
    if not any(changed_specs):
        raise BadInput(flag, f"no parameter {name} in {', '.join(models)}: leave it out")
    return [new or old for new, old in zip(changed_specs, models, strict=True)]


def _should_use_all_cores(models: Sequence[str]) -> bool:
    """Whether one of them is slow and none of them wants many runs, on a GPU, for itself."""
    from ..models import load
    from ..sweeps import batch_capacity

    loaded_models = [load(spec) for spec in models]
    return any(getattr(model, "slow", False) for model in loaded_models) and all(
        batch_capacity(model) == 1 for model in loaded_models
    )


def _available_cores() -> int:
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
@run_options
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
@item_options
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
    from .. import sweeps as predicting
    from ..report.terminal.result import print_json, print_view

    options = RunOptions.from_flags(flags)
    seed_numbers = options.parse_seeds(seeds)
    benchmark = load_benchmark(bench, flags)
    specs, view_names = options.apply_to(models), views.split(",")
    runs = predicting.plan_runs(benchmark, specs, view_names, seed_numbers, protocol, split, folds)
    predictions = sweep_with_bar(benchmark, runs, folder, options, keep)
    rows = predicting.summarize_runs(benchmark, runs, predictions, folder)
    notes = predicting.summary_notes(benchmark, rows)
    if as_json:
        print_json({"benchmark": benchmark.name, "rows": [*map(asdict, rows)], "notes": notes})
    else:
        print_view(
            _summary_table(
                benchmark.name, rows, [*map("note: {}".format, notes), _files_note(folder)]
            )
        )


def predict_for_audit(
    benchmark: Benchmark, models: Sequence[str], seeds: int, options: RunOptions, folder: str
) -> Sequence[Predictions]:
    """What models say of all the usual views, for an audit."""
    from .. import sweeps as predicting
    from ..views import default_views, fields_of, view_name

    _check_positive("--seeds", seeds)
    fields = fields_of(item for items in benchmark.splits.values() for item in items)
    views = [view_name(view, fields) for view in default_views(fields)]
    runs = predicting.plan_runs(benchmark, models, views, range(seeds))
    predictions = sweep_with_bar(benchmark, runs, folder, options)
    for note in predicting.summary_notes(
        benchmark, predicting.summarize_runs(benchmark, runs, predictions, folder)
    ):
        echo_note(f"note: {note}")
    return predictions


def _check_positive(flag: str, number: int) -> None:
    if number < 1:
        raise BadInput(flag, f"is {number}, must be at least 1")


def sweep_with_bar(
    benchmark: Benchmark,
    runs: Sequence[RunSpec],
    folder: str,
    options: RunOptions,
    keep: str | None = None,
) -> Sequence[Predictions]:
    """What runs say, with a bar while they last."""
    from .._infra.progress import count_bar
    from ..sweeps import run_sweep

    n_jobs = options.n_jobs([*dict.fromkeys(run.model for run in runs)])
    with count_bar(len(runs), "runs") as progress:
        return run_sweep(benchmark, runs, folder, n_jobs, progress, echo_note, keep, options.engine)


def echo_note(message: str) -> None:
    """A line for people, beside the output."""
    click.echo(f"hansproof: {message}", err=True)


def _files_note(folder: str) -> str:
    return f"files: {os.path.join(folder, '*.jsonl')} (those of each row: --json)"


def _summary_table(title: str, rows: Sequence[RunSummary], lines: Sequence[str]) -> RenderableType:
    """A table for people, and what to know of it."""
    from rich.console import Group
    from rich.text import Text

    from ..report.escape import reveal_hidden
    from ..report.terminal.table import TerminalTable

    columns = ["model", "split", "view", "trained on", "accuracy", "sd", "range", "chance", "n",
               "ties", "seeds", "on training"]  # fmt: skip
    has_degenerate = any(row.degenerate for row in rows)
    columns += ["degenerate", "without these"] if has_degenerate else []
    cells = [[*map(reveal_hidden, _summary_cells(row, has_degenerate))] for row in rows]
    return Group(
        TerminalTable(reveal_hidden(title), columns, cells),
        *(Text(reveal_hidden(line), "dim") for line in lines),
    )


def _summary_cells(row: RunSummary, has_degenerate: bool) -> list[str]:
    range_ends = dict.fromkeys(
        (_format_share(row.min), _format_share(row.max))
    )  # one, where all seeds agree
    cells = [
        row.model, row.split, row.view, "folds" if row.protocol == "cv" else row.trained_on or "–",
        _format_share(row.accuracy), _format_share(row.sd), " to ".join(range_ends), _format_share(row.chance), str(row.n),
        _format_share(row.tie_rate), str(row.seeds), _format_share(row.train_accuracy),
    ]  # fmt: skip
    return (
        [*cells, str(row.degenerate), _format_share(row.accuracy_without)]
        if has_degenerate
        else cells
    )


def _format_share(value: float | None) -> str:
    from ..report.format_numbers import format_share

    return "–" if value is None else format_share(value)
