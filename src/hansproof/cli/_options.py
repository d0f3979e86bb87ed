"""Flags that many commands share: how to read items, and what else there is to look at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..types import Audit, Benchmark

MIB_BITS = 20  # n >> MIB_BITS are the MiB of n bytes

BENCH_HELP = """
BENCH is a name (`copa`), a part of it (`copa:dev`, `copa:dev+test`), a file or folder of items
(`items.jsonl`), a data set on the hub (`hf:org/name`), or a Python file of yours that defines
load(), which is run.
"""

# what probes may need beside a benchmark: flag -> help
INPUT_HELP = {
    "predictions": "What models said: predictions.jsonl, or a log; repeat, list, or use wildcards.",
    "accuracies": "Tables of accuracy by seed (accs.csv).",
    "ratings": "What people said: a table of item, rater and choice.",
    "trained": "Models to look into: saved:FOLDER, or one trained first (bow); repeat, wildcards.",
    "against": "Models to compare these with, as --trained.",
    "scans": "What `hansproof scan` found in a corpus: its result files.",
    "reference": "What it found, with the same index, in text that cannot hold the items.",
    "others": "Other benchmarks, each named as BENCH is; list or repeat.",
}
MODEL_INPUTS = ("trained", "against")
INPUT_METAVARS = {**dict.fromkeys(MODEL_INPUTS, "MODEL..."), "others": "BENCH..."}


def item_options(command: Callable[..., Any]) -> Callable[..., Any]:
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


def load_benchmark(bench: str, flags: dict[str, Any]) -> Benchmark:
    from ..benchmarks import load
    from ..formats import ColumnMapping

    folder = flags.pop("data")
    return load(bench, ColumnMapping(**flags), folder)


def input_options(
    input_names: Collection[str],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The flags for what a probe looks at beside the benchmark."""

    def add_options(command: Callable[..., Any]) -> Callable[..., Any]:
        for input_name in reversed([*input_names]):
            metavar = INPUT_METAVARS.get(input_name, "FILE...")
            flag = click.option(
                f"--{input_name}", multiple=True, metavar=metavar, help=INPUT_HELP[input_name]
            )
            command = flag(command)
        return command

    return add_options


def load_inputs(
    bench: str, input_names: Collection[str], flags: dict[str, Any]
) -> tuple[Benchmark, dict[str, Sequence[Any]]]:
    """The benchmark, and by need what was named beside it; what was not named is not there."""
    arguments = {input_name: flags.pop(input_name) for input_name in input_names}
    benchmark = load_benchmark(bench, flags)
    from ..inputs import load

    return benchmark, load.load_inputs(benchmark, arguments)


def load_audit(path: str) -> Audit:
    """Load a saved audit; the import waits until a command needs it."""
    from .. import auditing

    return auditing.load_audit(path)


class VariadicCommand(click.Command):
    """A command whose flags for files take as many as follow: a shell expands wildcards itself."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`--predictions a b` becomes `--predictions a --predictions b`."""
        expanded: list[str] = []
        flag, has_value = None, False
        for arg in args:
            if arg.startswith("-"):
                flag, has_value = arg if arg.removeprefix("--") in INPUT_HELP else None, False
            elif flag:
                expanded += [flag] if has_value else []
                has_value = True
            expanded.append(arg)
        try:
            return super().parse_args(ctx, expanded)
        except click.MissingParameter as error:
            if error.param is not None and error.param.name == "bench" and expanded != args:
                raise click.UsageError("BENCH comes first, then the files.", ctx) from None
            raise
