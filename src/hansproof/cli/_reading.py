"""Flags that many commands share: how to read items, and what else there is to look at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..types import Benchmark

BENCH_HELP = """
BENCH is a name (`copa`), a part of it (`copa:dev`, `copa:dev+test`), a file or folder of items
(`items.jsonl`), a data set on the hub (`hf:org/name`), or a Python file of yours that defines
load(), which is run.
"""

# what probes may need beside a benchmark: flag -> help
NEEDS = {
    "predictions": "What models said: predictions.jsonl, or a log; repeat, list, or use wildcards.",
    "accuracies": "Tables of accuracy by seed (accs.csv).",
    "ratings": "What people said: a table of item, rater and choice.",
    "trained": "Models to look into: kept:FOLDER, or one trained first (bow); repeat, wildcards.",
    "against": "Models to compare these with, as --trained.",
    "scans": "What `hansproof scan` found in a corpus: its result files.",
    "reference": "What it found, with the same index, in text that cannot hold the items.",
    "others": "Other benchmarks, each named as BENCH is; list or repeat.",
}
MODELS = ("trained", "against")
KINDS = {**dict.fromkeys(MODELS, "MODEL..."), "others": "BENCH..."}


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags that say how to read a file of items whose shape is not recognised."""
    options = [
        click.option("--choices", multiple=True, metavar="COLUMN",
                     help="Column of one choice (repeat), or one column that holds the list."),
        click.option("--answer", metavar="COLUMN", help="Column of the right answer."),
        click.option("--field", "fields", multiple=True, metavar="COLUMN",
                     help="Column of the question's text (repeat)."),
        click.option("--id", metavar="COLUMN", help="Column of the items' ids."),
        click.option("--group", metavar="COLUMN", help="Column that ties items together."),
        click.option("--labels", metavar="FILE", help="Second file that holds the answers."),
        click.option("--data", metavar="FOLDER", help="Folder of a named benchmark's files."),
        click.option("--drop-unlabelled", is_flag=True, help="Leave out items without an answer."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def load(bench: str, flags: dict[str, Any]) -> Benchmark:
    from ..benchmarks import load
    from ..formats import Mapping

    folder = flags.pop("data")
    return load(bench, Mapping(**flags), folder)


def giving(needs: Collection[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The flags for what a probe looks at beside the benchmark."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for need in reversed([*needs]):
            kind = KINDS.get(need, "FILE...")
            flag = click.option(f"--{need}", multiple=True, metavar=kind, help=NEEDS[need])
            command = flag(command)
        return command

    return add


def load_with(
    bench: str, needs: Collection[str], flags: dict[str, Any]
) -> tuple[Benchmark, dict[str, Sequence[Any]]]:
    """The benchmark, and by need what was named beside it; what was not named is not there."""
    named = {need: flags.pop(need) for need in needs}
    benchmark = load(bench, flags)
    if not any(named.values()):
        return benchmark, {}
    from .. import accuracies, logs, ratings
    from ..contamination.found import read_all

    readers: dict[str, Callable[[tuple[str, ...]], Sequence[Any]]] = {
        "predictions": lambda files: logs.read(files, benchmark),
        "accuracies": accuracies.read,
        "ratings": lambda files: ratings.read_all(files, benchmark),
        "trained": lambda names: models_of(names, benchmark),
        "against": lambda names: models_of(names, benchmark),
        "scans": read_all,
        "reference": read_all,
        "others": benchmarks_of,
    }
    return benchmark, {need: readers[need](files) for need, files in named.items() if files}


def models_of(names: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    """Trained models by their names."""
    from ..predict import all_trained

    return all_trained(benchmark, names)


def benchmarks_of(names: tuple[str, ...]) -> Sequence[Any]:
    """Benchmarks by their names, read as they are: flags that name columns are for BENCH."""
    from ..benchmarks import load

    return [load(name) for name in names]


class Listing(click.Command):
    """A command whose flags for files take as many as follow: a shell expands wildcards itself."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`--predictions a b` becomes `--predictions a --predictions b`."""
        spread: list[str] = []
        flag, more = None, False
        for arg in args:
            if arg.startswith("-"):
                flag, more = arg if arg.removeprefix("--") in NEEDS else None, False
            elif flag:
                spread += [flag] if more else []
                more = True
            spread.append(arg)
        try:
            return super().parse_args(ctx, spread)
        except click.MissingParameter as error:
            if error.param is not None and error.param.name == "bench" and spread != args:
                raise click.UsageError("BENCH comes first, then the files.", ctx) from None
            raise
