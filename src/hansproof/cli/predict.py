"""`hansproof predict`: train models, score a split, and save every run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ._completion import complete_plugins
from ._main import cli
from ._options import BENCH_HELP, bench_argument, item_options, load_benchmark
from ._printing import print_output
from ._run_flags import run_options

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
              "a model behind a server, or else 20.")  # fmt: skip
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
    """Train models or ask language models, and save the answers of every run.

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
    from ._estimate import print_estimate
    from ._run_options import RunOptions, sweep_with_bar

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
    notes = (*notes, *_seed_notes(rows, len(seed_numbers) if seeds else 1))
    lines = [*map("note: {}".format, notes), _files_note(folder, benchmark.name)]
    print_output(
        {"benchmark": benchmark.name, "rows": [*map(asdict, rows)], "notes": notes},
        lambda: _summary_table(benchmark.name, rows, lines, folds),
    )


def _files_note(folder: str, benchmark: str) -> str:
    from ..sweeps.store import file_stem

    pattern = os.path.join(folder, f"{file_stem(benchmark)}.*.jsonl")
    return f"files: {pattern} (those of each row: --json)"


def _seed_notes(rows: Sequence[RunSummary], n_seeds: int) -> Iterator[str]:
    """Say where fewer seeds were run than were asked for."""
    for name in dict.fromkeys(_name_models([row for row in rows if row.seeds < n_seeds])):
        yield (
            f"{name}: one seed of {n_seeds} was run where others would change nothing; with a "
            "temperature every seed is another sample"
        )


def _summary_table(
    title: str, rows: Sequence[RunSummary], lines: Sequence[str], folds: int
) -> RenderableType:
    """Build the table of run summaries, with notes below."""
    from rich.console import Group
    from rich.text import Text

    from ..report.escape import reveal_hidden
    from ..report.terminal.table import TerminalTable
    from ..views import without_order

    # a note gives the range over other orders
    rows_shown = [row for row in rows if row.view == without_order(row.view)] or rows
    names = _name_models(rows_shown)
    cells = [_summary_cells(row, name, folds) for row, name in zip(rows_shown, names, strict=True)]
    columns = [column for column in cells[0] if any(row[column] != "–" for row in cells)]
    table = [[reveal_hidden(row[column]) for column in columns] for row in cells]
    return Group(
        TerminalTable(reveal_hidden(title), columns, table),
        *(Text(reveal_hidden(line), "dim") for line in lines),
    )


def _name_models(rows: Sequence[RunSummary]) -> list[str]:
    """Name models without addresses and prices, unless these are all that tells them apart."""
    from ..sweeps.asking_notes import shorten_spec

    short_names = {row.model: shorten_spec(row.model) for row in rows}
    is_unique = len({*short_names.values()}) == len(short_names)
    return [short_names[row.model] if is_unique else row.model for row in rows]


def _summary_cells(row: RunSummary, name: str, folds: int) -> dict[str, str]:
    """Return the cells of a row by column; a dash where a column says nothing about it."""
    trained_on = f"{folds} folds (cross-validation)" if row.protocol == "cv" else row.trained_on
    is_spread = row.seeds > 1
    # a single share where all seeds agree
    range_ends = dict.fromkeys((_format_share(row.min), _format_share(row.max)))
    n_missing = sum(row.unanswered.values())
    has_failed = bool(row.degenerate)
    return {
        "model": name,
        "split": row.split,
        "view": row.view,
        "trained on": trained_on or "–",
        "accuracy": _format_share(row.accuracy),
        "SD": _format_share(row.sd),
        "range": " to ".join(range_ends) if is_spread else "–",
        "chance": _format_share(row.chance),
        "n": f"{row.n:,}",
        "missing": "–" if row.way is None else f"{n_missing:,}",
        "ties": _format_share(row.tie_rate),
        "seeds": str(row.seeds),
        "training acc.": _format_share(row.train_accuracy),
        "degenerate": str(row.degenerate) if has_failed else "–",
        "without these": _format_share(row.accuracy_without) if has_failed else "–",
    }


def _format_share(value: float | None) -> str:
    from ..report.format_numbers import format_share

    return "–" if value is None else format_share(value)
