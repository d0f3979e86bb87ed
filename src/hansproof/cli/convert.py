"""Commands over what models said: convert, compare."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput, HansproofError
from ._main import cli
from ._options import item_options, load_benchmark

if TYPE_CHECKING:
    from ..types import Predictions

# those of types.Protocols, written out: `--help` need not import what they are for
PROTOCOLS = ("given", "train-test", "cv")


@cli.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("--bench", required=True, metavar="BENCH", help="The benchmark they are about.")
@click.option("-o", "--output", default="runs", show_default=True, metavar="DIR",
              help="Folder for one predictions.jsonl per run.")  # fmt: skip
@click.option("--kind", metavar="KIND", help="Kind of log, where it is not recognised.")
@click.option("--model", metavar="NAME", help="Name of the model.")
@click.option("--view", metavar="VIEW", help="What it saw: full, or parts joined by + (choices).")
@click.option("--split", metavar="SPLIT", help="The split it ran on; of several, only this one.")
@click.option("--seed", type=int, metavar="N", help="The seed it ran with.")
@click.option("--trained-on", metavar="NAME", help="What it was trained on.")
@click.option("--protocol", type=click.Choice(PROTOCOLS),
              help="How training and scoring were kept apart.")  # fmt: skip
@click.option(
    "--first",
    type=click.IntRange(0, 1),
    metavar="0|1",
    help="The number that stands for the first choice, where the log does not show it.",
)
@click.option("--per-char", is_flag=True, help="Scores by character, as lm-eval's acc_norm.")
@item_options
def convert(logs: tuple[str, ...], bench: str, output: str, kind: str | None, **flags: Any) -> None:
    """Turn logs of models' answers into predictions.jsonl, one file per run.

    LOGS are files, folders or wildcards; `hansproof list logs` names the kinds. What a log does
    not say, flags do. A run that breaks off is kept as `.part`, and what is missing is said.

    \b
    Examples:
      hansproof convert 'results/samples_*.jsonl' --bench items.jsonl -o runs
      hansproof convert logs/2026.eval --bench items.jsonl --model mine --view choices
      hansproof convert preds.csv.gz --bench arct --split test
    """
    from .. import logs as reader
    from ..predictions import IncompleteRun, write_new, write_partial
    from ._dataclass_options import build_from_values

    overrides = build_from_values(reader.LogOverrides, flags)
    attempts = reader.read_partial(logs, load_benchmark(bench, flags), kind, overrides)
    names = _run_file_names(
        [attempt.run if isinstance(attempt, IncompleteRun) else attempt for attempt in attempts]
    )
    error_messages = []
    for name, attempt in zip(names, attempts, strict=True):
        path = os.path.join(output, name)
        if isinstance(attempt, IncompleteRun):
            error_messages.append(
                f"{attempt}; what is there was kept in {write_partial(path, attempt.run)}"
            )
        else:
            write_new(path, attempt)
            click.echo(path)
    if error_messages:
        suffix = (
            f" (and {len(error_messages) - 1} more runs break off)"
            if len(error_messages) > 1
            else ""
        )
        raise HansproofError(error_messages[0] + suffix)


def _run_file_names(runs: Sequence[Predictions]) -> Iterator[str]:
    """A file name for each run, of what tells it from the others."""
    from ..types import FULL

    used_names: set[str] = set()
    for run in runs:
        parts = [run.model, run.split, "" if run.view == FULL else run.view]
        safe_parts = [re.sub(r"[^\w+-]+", "-", part).strip("-") for part in parts]
        stem = ".".join(filter(None, [*safe_parts, "" if run.seed is None else str(run.seed)]))
        name, number = f"{stem}.jsonl", 1
        while name.lower() in used_names:
            number += 1
            name = f"{stem}.{number}.jsonl"
        used_names.add(name.lower())
        yield name


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option("--bench", metavar="BENCH", help="The benchmark, where the files do not name it.")
@click.option("--seeds", type=click.Choice(("mean", "pooled")), default="mean", show_default=True,
              help="Count an item once by its mean over runs, or once for each run.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the Result as JSON.")
@item_options
def compare(a: str, b: str, bench: str | None, seeds: Any, as_json: bool, **flags: Any) -> None:
    """Compare two systems item by item. A and B are files of runs, or wildcards for many seeds.

    \b
    Examples:
      hansproof compare bert.jsonl roberta.jsonl
      hansproof compare 'runs/bert.*.jsonl' 'runs/roberta.*.jsonl' --bench copa
    """
    from .. import logs
    from ..probes.compare import compare_runs
    from ..report.terminal.result import print_result

    benchmark = load_benchmark(bench or _read_benchmark_name(a), flags)
    runs = logs.read([a], benchmark), logs.read([b], benchmark)
    print_result(compare_runs(benchmark, runs, (a, b), seeds), as_json)


def _read_benchmark_name(pattern: str) -> str:
    """The benchmark that the first of the files says it is about."""
    from .. import plugins
    from .._infra.atomic_io import expand_paths
    from ..predictions import read_benchmark_name

    first_path = expand_paths(pattern)[0]
    try:
        name = read_benchmark_name(first_path)
    except BadInput:
        name = ""
    if name not in plugins.names("benchmarks"):
        raise BadInput(pattern, "does not name a benchmark that is known here: give --bench")
    return name
