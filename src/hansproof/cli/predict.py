"""`hansproof predict`: train models, score a split, and save every run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ._completion import complete_plugins
from ._estimate import print_estimate
from ._main import cli
from ._options import BENCH_HELP, bench_argument, item_options, load_benchmark
from ._printing import print_output
from ._run_options import RunOptions, run_options, sweep_with_bar

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..sweeps import RunSummary


@cli.command(epilog=BENCH_HELP)
@bench_argument
@click.option("--model", "models", multiple=True, required=True, metavar="NAME",
              shell_complete=complete_plugins("models", or_file=True),
              help="A model (`hansproof list models`), optionally with parameters (bow:ngram=1), "
              "or your own Python file (./mine.py). May be repeated.")  # fmt: skip
@click.option("--views", default="full,choices", show_default=True, metavar="VIEW,...",
              help="What the model is shown: full, or parts of the item joined by + "
              "(premise+choices). /alone shows one choice at a time, /shuffled the question of "
              "another item; question hides the choices; nonsense shows random words.",
              )  # fmt: skip
@click.option("--orders", metavar="all|rotations|N",
              help="Also show the choices in other orders: all of them (rotations of more than "
              "four), the rotations, or N orders in which every choice stands at every place "
              "equally often. Choices that refer to each other keep their order.",
              )  # fmt: skip
@click.option("--seeds", metavar="N", help="Number of seeds, or a list of seeds: 42,1128. "
              "With a temperature, every seed is another sample. Default: those of --recipe, 1 for "
              "a model behind an endpoint, or else 20.")  # fmt: skip
@run_options
@click.option("--store", "folder", default="store", show_default=True, metavar="DIR",
              help="Folder for one predictions.jsonl per run; runs in it are not repeated.",
              )  # fmt: skip
@click.option("--keep", metavar="DIR",
              help="Also save trained models, in a folder for each run, if the model can be saved "
              "and is trained on another split.")  # fmt: skip
@click.option("--protocol", type=click.Choice(("train-test", "cv")),
              help="Train on another split, or cross-validate within the split. Default: "
              "train-test if the benchmark has a split to train on.")  # fmt: skip
@click.option(
    "--split", metavar="SPLIT", help="The split to answer: dev, dev+test, or pooled for all."
)
@click.option("--folds", default=5, show_default=True, help="Number of folds for cross-validation.")
@item_options
def predict(
    bench: str | list[str],
    models: tuple[str, ...],
    views: str,
    orders: str | None,
    seeds: str | None,
    folder: str,
    keep: str | None,
    protocol: Any,
    split: str | None,
    folds: int,
    **flags: Any,
) -> None:
    """Train models, let them answer a benchmark, and save every run.

    A view is the part of an item that a model is shown: `choices` hides the question, `full` shows
    everything. Runs that are interrupted continue when the same command is given again; several
    commands may share a folder. Other commands read the files with `--predictions`.

    \b
    Examples:
      hansproof predict toy:balanced --model bow --views full,choices --seeds 5
      hansproof predict copa --model bow --model ./mine.py --jobs 4 --store runs
      hansproof predict piqa --model bow:ngram=1 --split train --protocol cv
      hansproof predict copa --model hf:bert-large-uncased --recipe kavumba-bert
      hansproof predict copa --model lm:./smollm2,score_by=pmi --seeds 1
      hansproof predict copa --model vllm:Qwen/Qwen3-8B --orders all
      hansproof predict copa --model 'openai:gpt-4.1,price=2|8' --budget 5
      hansproof predict copa --model ollama:qwen3 --prompts letters,./mine.toml
      hansproof audit copa --predictions 'runs/*.jsonl'
    """
    from .. import sweeps

    options = RunOptions.from_flags(flags)
    options.check_prompts(models)
    specs, view_names = options.expand_prompts(options.apply_to(models)), views.split(",")
    options.check_budget(specs)
    seed_numbers = options.parse_seeds(seeds, specs)
    benchmark = load_benchmark(bench, flags)
    runs = sweeps.plan_runs(
        benchmark, specs, view_names, seed_numbers, protocol, split, folds, orders
    )
    if options.dry_run:
        print_estimate(benchmark, runs, folder)
        return
    predictions = sweep_with_bar(benchmark, runs, folder, options, keep)
    rows = sweeps.summarize_runs(benchmark, runs, predictions, folder)
    notes = sweeps.summary_notes(benchmark, rows)
    lines = [*map("note: {}".format, notes), _files_note(folder)]
    print_output(
        {"benchmark": benchmark.name, "rows": [*map(asdict, rows)], "notes": notes},
        lambda: _summary_table(benchmark.name, rows, lines, folds),
    )


def _files_note(folder: str) -> str:
    return f"files: {os.path.join(folder, '*.jsonl')} (those of each row: --json)"


def _summary_table(
    title: str, rows: Sequence[RunSummary], lines: Sequence[str], folds: int
) -> RenderableType:
    """Build the table of run summaries, with notes below."""
    from rich.console import Group
    from rich.text import Text

    from ..report.escape import reveal_hidden
    from ..report.terminal.table import TerminalTable
    from ..views import without_order

    columns = ["model", "split", "view", "trained on", "accuracy", "SD", "range", "chance",
               "n", "ties", "seeds", "training acc."]  # fmt: skip
    has_degenerate = any(row.degenerate for row in rows)
    columns += ["degenerate", "without these"] if has_degenerate else []
    cells = [
        [*map(reveal_hidden, _summary_cells(row, folds, has_degenerate))]
        for row in rows
        if row.view == without_order(row.view)  # a note gives the range over other orders
    ] or [[*map(reveal_hidden, _summary_cells(row, folds, has_degenerate))] for row in rows]
    return Group(
        TerminalTable(reveal_hidden(title), columns, cells),
        *(Text(reveal_hidden(line), "dim") for line in lines),
    )


def _summary_cells(row: RunSummary, folds: int, has_degenerate: bool) -> list[str]:
    # a single share where all seeds agree
    range_ends = dict.fromkeys((_format_share(row.min), _format_share(row.max)))
    trained_on = f"{folds} folds (cross-validation)" if row.protocol == "cv" else row.trained_on
    cells = [
        row.model, row.split, row.view, trained_on or "–",
        _format_share(row.accuracy), _format_share(row.sd), " to ".join(range_ends),
        _format_share(row.chance), str(row.n), _format_share(row.tie_rate), str(row.seeds),
        _format_share(row.train_accuracy),
    ]  # fmt: skip
    return (
        [*cells, str(row.degenerate), _format_share(row.accuracy_without)]
        if has_degenerate
        else cells
    )


def _format_share(value: float | None) -> str:
    from ..report.format_numbers import format_share

    return "–" if value is None else format_share(value)
