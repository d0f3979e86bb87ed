"""Commands that run models: predict."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput
from ._main import cli
from ._reading import BENCH_HELP, load, reading

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..predict import Row, Run
    from ..types import Benchmark, Predictions


@cli.command(epilog=BENCH_HELP)
@click.argument("bench")
@click.option("--model", "models", multiple=True, required=True, metavar="NAME",
              help="A model (`hansproof list models`), with parameters (bow:ngram=1), or a file of "
              "your own (./mine.py); repeat.")  # fmt: skip
@click.option("--views", default="full,choices", show_default=True, metavar="VIEW,...",
              help="What it may see: full, or parts joined by + (premise+choices); with /alone one "
              "choice at a time, with /shuffled other items' fields.")  # fmt: skip
@click.option("--seeds", default=20, show_default=True, help="How many seeds: 0, 1, 2 ...")
@click.option("--jobs", default=1, show_default=True, help="How many runs at a time.")
@click.option("--store", "folder", default="store", show_default=True, metavar="DIR",
              help="Folder for one predictions.jsonl per run; what it holds is not run again.",
              )  # fmt: skip
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
    seeds: int,
    jobs: int,
    folder: str,
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
      hansproof audit copa --predictions 'runs/*.jsonl'
    """
    from .. import predict as predicting
    from ..report.terminal import print_json, print_out

    _check(seeds, jobs)
    benchmark = load(bench, flags)
    asked = views.split(",")
    runs = predicting.plan(benchmark, models, asked, range(seeds), protocol, split, folds)
    said = _swept(benchmark, runs, folder, jobs)
    rows = predicting.rows(benchmark, runs, said, folder)
    notes = predicting.notes(benchmark, rows)
    if as_json:
        print_json({"benchmark": benchmark.name, "rows": [*map(asdict, rows)], "notes": notes})
    else:
        print_out(_view(benchmark.name, rows, [*map("note: {}".format, notes), _where(folder)]))


def trained(
    benchmark: Benchmark, models: Sequence[str], seeds: int, jobs: int, folder: str
) -> Sequence[Predictions]:
    """What models say of all the usual views, for an audit."""
    from .. import predict as predicting
    from ..views import fields_of, name_of, usual

    _check(seeds, jobs)
    fields = fields_of(item for items in benchmark.splits.values() for item in items)
    views = [name_of(view, fields) for view in usual(fields)]
    return _swept(benchmark, predicting.plan(benchmark, models, views, range(seeds)), folder, jobs)


def _check(seeds: int, jobs: int) -> None:
    for name, number in (("--seeds", seeds), ("--jobs", jobs)):
        if number < 1:
            raise BadInput(name, f"is {number}, must be at least 1")


def _swept(
    benchmark: Benchmark, runs: Sequence[Run], folder: str, jobs: int
) -> Sequence[Predictions]:
    from ..predict import sweep
    from ..progress import counting

    with counting(len(runs), "runs") as progress:
        return sweep(benchmark, runs, folder, jobs, progress, _say)


def _say(line: str) -> None:
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
    table = Rows(visible(title), columns, [[*map(visible, _cells(row))] for row in rows])
    return Group(table, *(Text(visible(line), "dim") for line in lines))


def _cells(row: Row) -> list[str]:
    ends = dict.fromkeys((_share(row.min), _share(row.max)))  # one, where all seeds agree
    return [
        row.model, row.split, row.view, "folds" if row.protocol == "cv" else row.trained_on or "–",
        _share(row.accuracy), _share(row.sd), " to ".join(ends), _share(row.chance), str(row.n),
        _share(row.tie_rate), str(row.seeds), _share(row.train_accuracy),
    ]  # fmt: skip


def _share(value: float | None) -> str:
    from ..report.numbers import share

    return "–" if value is None else share(value)
