"""Options that commands share: how to read items, and inputs besides the benchmark."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import plugins
from ._command import CheckedCommand, HeadedOption
from ._completion import Completer, complete_benchmarks, complete_plugins

if TYPE_CHECKING:
    from ..types import Audit, Benchmark

BENCH_HELP = """
BENCH is the name of a benchmark (`copa`), one or more of its splits (`copa:dev`, `copa:dev+test`),
files or a folder of items (`items.jsonl`, `data/*.csv`, `https://host/quiz.json`), a data set on
the hub (`hf:org/name`), or your own Python file with a function load(), which is executed.
"""

# inputs besides the benchmark: flag -> help
INPUT_HELP = {
    "predictions": "Answers of models: predictions.jsonl or logs of other tools, as FILES, "
    "NAME=FILES or NAME@VIEW=FILES. Takes several files and wildcards; may be repeated.",
    "accuracies": "Tables of accuracy by seed (accs.csv).",
    "ratings": "Answers of people: a table with the columns item, rater and choice.",
    "trained": "Trained models to examine: saved:FOLDER, or a model to train first (bow). Takes "
    "several and wildcards; may be repeated.",
    "against": "Models to compare with those of --trained.",
    "scans": "Result files of `hansproof scan`.",
    "reference": "Result files of scans, with the same index, of text that cannot contain the "
    "items.",
    "others": "Other benchmarks, given like BENCH. Takes several; may be repeated.",
    "lm": "Use how likely each choice is without its question, according to this causal language "
    "model (lm:FOLDER, a folder or a hub id) or a file of its likelihoods (x.jsonl). Likelihoods "
    "are cached, and by default all cached models that cover the choices are used; `none` uses "
    "none. Takes several; may be repeated.",
    "encoder": "Use the vectors that this sentence encoder (a folder or a hub id) gives the "
    "choices. They are cached and used by default, like those of --lm; `none` uses none. Takes "
    "several; may be repeated.",
    "blind": "Also run this model on the choices alone (`hansproof list models` names them): one "
    "that learns is cross-validated on all items with answers, another answers them as it is. "
    "Takes several; may be repeated.",
}
INPUT_HEADING = "Inputs besides the benchmark"
RUN_HEADING = "How models are run"
INPUT_METAVARS = {**dict.fromkeys((*plugins.MODEL_INPUTS, "blind", "encoder"), "MODEL..."),
                  "others": "BENCH...", "lm": "MODEL|FILE..."}  # fmt: skip


_item_option = functools.partial(click.option, cls=HeadedOption, heading="How items are read")


def bench_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument BENCH: one benchmark, or several files of one."""

    def take_single(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        return value[0] if len(value) == 1 else list(value)

    argument = click.argument(
        "bench", nargs=-1, required=True, metavar="BENCH...", callback=take_single,
        shell_complete=complete_benchmarks,
    )  # fmt: skip
    return argument(command)


def item_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how to read items."""
    options = [
        _item_option("--choices", multiple=True, metavar="COLUMN",
                     help="Column with a choice (repeat for each), or the column with the list."),
        _item_option("--answer", metavar="COLUMN", help="Column with the correct answer."),
        _item_option("--answers-from", type=click.Choice(["0", "1", "letters", "text"]),
                     help="How answers are written: as numbers that count from 0 or from 1, as "
                     "letters, or as the text of a choice. Needed only if the file does not show "
                     "it."),
        _item_option("--field", "fields", multiple=True, metavar="COLUMN",
                     help="Column with the text of the question. May be repeated."),
        _item_option("--id", metavar="COLUMN", help="Column with the ids of items."),
        _item_option("--group", metavar="COLUMN",
                     help="Column with the group of an item; the items of a group belong together, "
                     "such as a mirrored pair."),
        _item_option("--labels", metavar="FILE", help="Separate file with the answers."),
        _item_option("--data", metavar="FOLDER",
                     help="Folder with the files of a named benchmark."),
        _item_option("--drop-unlabelled", is_flag=True, help="Leave out items without an answer."),
        _item_option("--header/--no-header", default=None,
                     help="Whether the first line of a table names its columns. Without a header, "
                     "they are called 1, 2, 3, ...: --field 1 --answer 6."),
        _item_option("--list-separator", metavar="TEXT",
                     help="Separator of several choices in one cell, such as ';' in `a; b; c`, or "
                     "`none` if each cell is a single choice."),
        _item_option("--split-by", metavar="folder|file|COLUMN",
                     help="Make each folder, each file or each value of a column a split."),
        _item_option("--name", metavar="TEXT", help="Name of the benchmark in titles."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def load_benchmark(bench: str | list[str], flags: dict[str, Any]) -> Benchmark:
    """Load BENCH with the item options, which `flags` contains."""
    return load_benchmarks([bench], flags)[0]


def load_benchmarks(specs: Sequence[str | list[str]], flags: dict[str, Any]) -> list[Benchmark]:
    """Load benchmarks with the item options: columns are for files, `--data` is for names."""
    from ..benchmarks import load_all
    from ..formats import ColumnMapping

    mapping = {name: value for name, value in flags.items() if name != "data"}
    return load_all(specs, ColumnMapping(**mapping), flags["data"])


def input_options(
    input_names: Collection[str],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a decorator that adds the options of inputs besides the benchmark."""

    def add_options(command: Callable[..., Any]) -> Callable[..., Any]:
        for input_name in reversed([*input_names]):
            metavar = INPUT_METAVARS.get(input_name, "FILE...")
            flag = click.option(
                f"--{input_name}", cls=HeadedOption, multiple=True, metavar=metavar,
                heading=RUN_HEADING if input_name == "blind" else INPUT_HEADING,
                help=INPUT_HELP[input_name],
                shell_complete=_input_completer(input_name),
            )  # fmt: skip
            command = flag(command)
        return command

    return add_options


def _is_input(parameter: click.Parameter) -> bool:
    """Tell whether a parameter of a command is an input that takes several values."""
    is_input = isinstance(parameter, HeadedOption) and parameter.name in INPUT_HELP
    return is_input and parameter.multiple


def _input_completer(input_name: str) -> Completer | None:
    """Return what completes the names of an input; files are completed in any case."""
    if input_name in (*plugins.MODEL_INPUTS, "blind"):
        return complete_plugins("models", or_file=True)
    return complete_benchmarks if input_name == "others" else None


def load_inputs(
    bench: str | list[str], input_names: Collection[str], flags: dict[str, Any]
) -> tuple[Benchmark, dict[str, Sequence[Any]]]:
    """Load the benchmark and the inputs whose options were given, by name."""
    arguments = {input_name: flags.pop(input_name) for input_name in input_names}
    benchmark, *further = load_benchmarks([bench, *arguments.pop("others", ())], flags)
    from ..inputs import load

    inputs = load.load_inputs(benchmark, arguments)
    return benchmark, {**inputs, "others": further} if further else inputs


def load_audit(path: str) -> Audit:
    """Load a saved audit; the import waits until a command needs it."""
    from .. import auditing

    return auditing.load_audit(path)


class VariadicCommand(CheckedCommand):
    """A command whose input options take several values, as shells expand wildcards."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse `--predictions a b` like `--predictions a --predictions b`."""
        expanded: list[str] = []
        flag, has_value = None, False
        # a setting of a probe may have the name of an input, such as --encoder
        inputs = {option for param in self.params if _is_input(param) for option in param.opts}
        for arg in args:
            if arg.startswith("-"):
                flag, has_value = arg if arg in inputs else None, False
            elif flag:
                expanded += [flag] if has_value else []
                has_value = True
            expanded.append(arg)
        try:
            return super().parse_args(ctx, expanded)
        except click.MissingParameter as error:
            if error.param is not None and error.param.name == "bench" and expanded != args:
                raise click.UsageError(
                    "Give BENCH first, then the options that take files.", ctx
                ) from None
            raise
