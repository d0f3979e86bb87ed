"""`hansproof reproduce`: compare the printed figures of a paper with computed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..errors import BadInput
from ._main import cli
from ._outputs import check_generated, force_option
from ._printing import print_output
from ._run_flags import AUTO

if TYPE_CHECKING:
    from ..papers import Paper
    from ..papers.computed_figures import ComputedFigure
    from ..papers.printed_figures import CellKey
    from ..sweeps import RunSpec
    from ..types import Benchmark, Predictions
    from ._run_options import RunOptions


@cli.command()
@click.argument("paper")
@click.option("--table", "tables", multiple=True, metavar="T",
              help="Only this table: 4, table-4, or text. May be repeated.")  # fmt: skip
@click.option("--model", metavar="NAME",
              help="Fill rows that take a fine-tuned model with this one (`hansproof list "
              "models`), trained by the paper's recipe.")  # fmt: skip
@click.option("--full", is_flag=True,
              help="Fill them with the paper's own checkpoints: needs access to the hub, and a "
              "GPU.")  # fmt: skip
@click.option("--seeds", metavar="N", help="How many runs, or which seeds: 42,1128; by default as "
              "many as the paper had.")  # fmt: skip
@click.option("--store", default="store", show_default=True, metavar="DIR",
              help="Folder for the runs of --model and --full; runs in it are not repeated.",
              )  # fmt: skip
@click.option("--jobs", default=AUTO, show_default=True, metavar="N",
              help="Number of parallel runs. `auto` uses all cores for slow models and one "
              "otherwise.")  # fmt: skip
@click.option("--data", metavar="FOLDER", help="Folder of the benchmarks and released files.")
@click.option("-o", "--output", metavar="FILE.html", help="Also write a page.")
@force_option
def reproduce(
    paper: str,
    tables: tuple[str, ...],
    model: str | None,
    full: bool,
    seeds: str | None,
    store: str,
    jobs: str,
    data: str | None,
    output: str | None,
) -> None:
    """Compute the figures of a published paper, and compare them.

    PAPER is kavumba2019, kavumba2020, niven2019 or branco2021, or a JSON file of the same form. A
    figure agrees if ours, rounded to the printed digits, is the same.

    \b
    Examples:
      hansproof reproduce kavumba2019
      hansproof reproduce niven2019 --table 3 --table 4
      hansproof reproduce branco2021 -o branco.html --json > branco.json
      hansproof reproduce kavumba2019 --table 5 --model hf:bert-base-uncased
      hansproof reproduce kavumba2020 --full
    """
    from .. import papers
    from .._infra import atomic_io
    from ..papers.page import render_page
    from ..papers.printed_figures import select_tables
    from ..papers.terminal import render_terminal
    from ..papers.to_json import reproduction_to_json
    from ._run_options import RunOptions

    if output:
        check_generated(output)
    if model and full:
        raise BadInput("--full", "uses the paper's checkpoints: leave out --model")
    printed_paper = papers.load_paper(paper)
    table_ids = select_tables(printed_paper, tables)
    options = RunOptions.from_flags(
        {"recipe": None, "deterministic": False, "jobs": jobs, "engine": "local"}
    )
    retrained = {}
    if model or full:
        retrained = _retrain_tables(printed_paper, table_ids, model, options, seeds, store, data)
    model_label = model or ("the paper's own checkpoints" if full else None)
    reproduction = papers.reproduce(printed_paper, table_ids, data, retrained, model_label)
    if output:
        atomic_io.write_file(output, render_page(reproduction).encode())
    print_output(reproduction_to_json(reproduction), lambda: render_terminal(reproduction))


def _retrain_tables(
    paper: Paper,
    tables: Sequence[str],
    model: str | None,
    options: RunOptions,
    seeds: str | None,
    store: str,
    data: str | None,
) -> dict[CellKey, ComputedFigure]:
    """Compute the figures of these tables that need a trained model."""
    from ..papers.retrain import RetrainRequest, retrain_rows
    from ._run_options import echo_note, sweep_with_bar

    def run_sweep(
        benchmark: Benchmark, runs: Sequence[RunSpec], keep: str | None
    ) -> Sequence[Predictions]:
        return sweep_with_bar(benchmark, runs, store, options, keep)

    seed_numbers = options.parse_seeds(seeds) if seeds else None
    return retrain_rows(
        paper,
        tables,
        RetrainRequest(model, seed_numbers, run_sweep, f"{store}/kept", echo_note),
        data,
    )
