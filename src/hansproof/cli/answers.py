"""Commands over what models said: convert, compare."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadInput, HansproofError
from ._main import cli
from ._reading import load, reading

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
@reading
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
    from ..flags import built
    from ..predictions import Unfinished, keep, write_new

    said = built(reader.Given, flags)
    found = reader.attempts(logs, load(bench, flags), kind, said)
    names = _names([one.run if isinstance(one, Unfinished) else one for one in found])
    broken = []
    for name, one in zip(names, found, strict=True):
        path = os.path.join(output, name)
        if isinstance(one, Unfinished):
            broken.append(f"{one}; what is there was kept in {keep(path, one.run)}")
        else:
            write_new(path, one)
            click.echo(path)
    if broken:
        more = f" (and {len(broken) - 1} more runs break off)" if len(broken) > 1 else ""
        raise HansproofError(broken[0] + more)


def _names(runs: Sequence[Predictions]) -> Iterator[str]:
    """A file name for each run, of what tells it from the others."""
    from ..types import FULL

    taken: set[str] = set()
    for run in runs:
        parts = [run.model, run.split, "" if run.view == FULL else run.view]
        plain = [re.sub(r"[^\w+-]+", "-", part).strip("-") for part in parts]
        stem = ".".join(filter(None, [*plain, "" if run.seed is None else str(run.seed)]))
        name, number = f"{stem}.jsonl", 1
        while name.lower() in taken:
            number += 1
            name = f"{stem}.{number}.jsonl"
        taken.add(name.lower())
        yield name


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option("--bench", metavar="BENCH", help="The benchmark, where the files do not name it.")
@click.option("--seeds", type=click.Choice(("mean", "pooled")), default="mean", show_default=True,
              help="Count an item once by its mean over runs, or once for each run.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the Result as JSON.")
@reading
def compare(a: str, b: str, bench: str | None, seeds: Any, as_json: bool, **flags: Any) -> None:
    """Compare two systems item by item. A and B are files of runs, or wildcards for many seeds.

    \b
    Examples:
      hansproof compare bert.jsonl roberta.jsonl
      hansproof compare 'runs/bert.*.jsonl' 'runs/roberta.*.jsonl' --bench copa
    """
    from .. import logs
    from ..probes.compare import between
    from ..report.terminal import print_result

    benchmark = load(bench or _named(a), flags)
    runs = logs.read([a], benchmark), logs.read([b], benchmark)
    print_result(between(benchmark, runs, (a, b), seeds), as_json)


def _named(pattern: str) -> str:
    """The benchmark that the first of the files says it is about."""
    from .. import plugins
    from ..files import matching
    from ..predictions import about

    first = matching(pattern)[0]
    try:
        name = about(first)
    except BadInput:
        name = ""
    if name not in plugins.names("benchmarks"):
        raise BadInput(pattern, "does not name a benchmark that is known here: give --bench")
    return name
