"""`hansproof convert`: turn logs of other tools into predictions.jsonl, or into items."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from .._infra.plural import plural
from ..errors import BadInput, HansproofError
from ._completion import complete_benchmarks
from ._main import cli
from ._options import item_options, load_benchmark
from ._outputs import force_option, is_forced, write_editable
from ._printing import echo_note, print_lines

if TYPE_CHECKING:
    from ..types import Predictions

# the values of types.TrainingProtocol, repeated here so that `--help` need not import types
PROTOCOLS = ("given", "train-test", "cv")


@cli.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("--bench", metavar="BENCH", shell_complete=complete_benchmarks,
              help="The benchmark that the logs are about.")  # fmt: skip
@click.option("--items", metavar="FILE",
              help="Write the items of the logs to this .jsonl file, and no runs.")  # fmt: skip
@click.option("-o", "--output", default="runs", show_default=True, metavar="DIR",
              help="Folder for one predictions.jsonl per run.")  # fmt: skip
@click.option("--kind", metavar="KIND", help="Kind of log, if it is not recognised.")
@click.option("--model", metavar="NAME", help="Name of the model.")
@click.option(
    "--view",
    metavar="VIEW",
    help="What the model was shown: full, or parts of the item joined by + (premise+choices).",
)
@click.option(
    "--split",
    metavar="SPLIT",
    help="The split that the model answered; only its answers are converted.",
)
@click.option("--seed", type=int, metavar="N", help="The seed of the run.")
@click.option("--trained-on", metavar="NAME", help="What the model was trained on.")
@click.option("--protocol", type=click.Choice(PROTOCOLS),
              help="How training and test items were separated.")  # fmt: skip
@click.option(
    "--first",
    type=click.IntRange(0, 1),
    metavar="0|1",
    help="The number of the first choice, if the log does not show it.",
)
@click.option(
    "--per-char",
    is_flag=True,
    help="Divide scores by the number of characters, as acc_norm of lm-eval.",
)
@force_option
@item_options
def convert(
    logs: tuple[str, ...],
    bench: str | None,
    items: str | None,
    output: str,
    kind: str | None,
    **flags: Any,
) -> None:
    """Convert logs of other tools into predictions.jsonl.

    LOGS are files, folders or wildcards, or NAME=FILES to name the model; `hansproof list logs`
    lists the kinds of logs. One file is written per run. Use the options below for what a log does
    not contain. Items without an answer are written with the reason. An incomplete run is written
    as `.part`, and the error says what is missing.

    If you have the logs but not the benchmark, --items writes the items that the logs contain
    (HELM, Inspect). That file is then the benchmark: `hansproof run accuracy FILE --predictions`.

    \b
    Examples:
      hansproof convert 'results/samples_*.jsonl' --bench items.jsonl -o runs
      hansproof convert 1.eval --bench items.jsonl --model mine --view choices
      hansproof convert preds.csv.gz --bench arct --split test
      hansproof convert 'helm/*/virology.json.gz' --items virology.jsonl
    """
    if items is not None:
        _write_logged_items(logs, items, kind)
        return
    if bench is None:
        raise BadInput(
            "--bench",
            "is missing: name the benchmark, or use --items to write the items in the logs",
        )
    from .. import logs as reader
    from ..predictions import IncompleteRun, write_partial
    from ._dataclass_options import build_from_values

    overrides = build_from_values(reader.LogOverrides, flags)
    attempts = reader.read_partial(logs, load_benchmark(bench, flags), kind, overrides)
    names = _run_file_names(
        [attempt.run if isinstance(attempt, IncompleteRun) else attempt for attempt in attempts]
    )
    paths: list[str] = []
    error_messages: list[str] = []
    for name, attempt in zip(names, attempts, strict=True):
        path = os.path.join(output, name)
        if isinstance(attempt, IncompleteRun):
            error_messages.append(
                f"{attempt}; the incomplete run was written to {write_partial(path, attempt.run)}"
            )
        else:
            _write_run(path, attempt)
            paths.append(path)
    print_lines({"files": paths}, *paths)
    _raise_incomplete(error_messages)


def _raise_incomplete(messages: Sequence[str]) -> None:
    """Raise an error about the runs that are incomplete, if any."""
    if messages:
        n_more = len(messages) - 1
        verb = "is" if n_more == 1 else "are"
        suffix = f" (and {plural(n_more, 'more run')} {verb} incomplete)" if n_more else ""
        raise HansproofError(messages[0] + suffix)


def _write_run(path: str, run: Predictions) -> None:
    """Write a run; only --force replaces another run, and nothing replaces a log that was read."""
    from ..predictions import to_bytes, write_new

    if is_forced():
        write_editable({path: to_bytes(run, {})})
    else:
        write_new(path, run)


def _write_logged_items(logs: Sequence[str], path: str, kind: str | None) -> None:
    """Write the items that the logs contain; refuse options about runs."""
    from .. import logs as reader
    from .._infra.atomic_io import check_writable
    from ..formats.jsonl import encode_items

    context, allowed = (
        click.get_current_context(),
        ("logs", "items", "kind", "force", "json", "quiet"),
    )
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if source == ParameterSource.COMMANDLINE and option.name not in allowed:
            raise BadInput(option.opts[-1], "cannot be combined with --items, which writes no runs")
    if not path.lower().endswith(".jsonl"):
        raise BadInput("--items", f"{path!r} does not end in .jsonl")
    check_writable(path)
    items = reader.read_items(logs, kind)
    write_editable({path: encode_items(items)})
    print_lines({"files": [path], "items": len(items)})
    echo_note(f"{path}: {plural(len(items), 'item')}")


def _run_file_names(runs: Sequence[Predictions]) -> Iterator[str]:
    """Yield a file name for each run: model, split, view and seed."""
    from ..types import FULL, UNKNOWN_VIEW

    used_names: set[str] = set()
    for run in runs:
        parts = [run.model, run.split, "" if run.view in (FULL, UNKNOWN_VIEW) else run.view]
        safe_parts = [re.sub(r"[^\w+-]+", "-", part).strip("-") for part in parts]
        stem = ".".join(filter(None, [*safe_parts, "" if run.seed is None else str(run.seed)]))
        name, number = f"{stem}.jsonl", 1
        while name.lower() in used_names:
            number += 1
            name = f"{stem}.{number}.jsonl"
        used_names.add(name.lower())
        yield name
