"""The command that checks published tables: reproduce."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..errors import BadInput
from ._main import cli
from .predicting import AUTO, Means, mention, swept

if TYPE_CHECKING:
    from ..predict import Run
    from ..reproduce import Paper
    from ..reproduce.figures import Place
    from ..reproduce.ours import Ours
    from ..types import Benchmark, Predictions


@cli.command()
@click.argument("paper")
@click.option("--table", "tables", multiple=True, metavar="T",
              help="Only this one: 4, table-4, or text (repeat).")  # fmt: skip
@click.option("--model", metavar="NAME",
              help="Fill rows that take a fine-tuned model with this one (`hansproof list "
              "models`), trained by the paper's recipe.")  # fmt: skip
@click.option("--full", is_flag=True,
              help="Fill them with the paper's own checkpoints: needs a hub, and a GPU.",
              )  # fmt: skip
@click.option("--seeds", metavar="N", help="How many runs, or which seeds: 42,1128; by default as "
              "many as the paper had.")  # fmt: skip
@click.option("--store", default="store", show_default=True, metavar="DIR",
              help="Folder for the runs of --model and --full; what it holds is not run again.",
              )  # fmt: skip
@click.option("--jobs", default=AUTO, show_default=True, metavar="N", help="Runs at a time.")
@click.option("--data", metavar="FOLDER", help="Folder of the benchmarks and released files.")
@click.option("-o", "--output", metavar="FILE.html", help="Also write a page.")
@click.option("--json", "as_json", is_flag=True, help="Print every figure as JSON.")
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
    as_json: bool,
) -> None:
    """Put every figure of a published paper beside ours.

    PAPER is kavumba2019, kavumba2020, niven2019 or branco2021, or a JSON file of the same shape.
    A figure is reached when ours, rounded to the printed digits, is the same.

    \b
    Examples:
      hansproof reproduce kavumba2019
      hansproof reproduce niven2019 --table 3 --table 4
      hansproof reproduce branco2021 -o branco.html --json > branco.json
      hansproof reproduce kavumba2019 --table 5 --model hf:bert-base-uncased --seeds 3
      hansproof reproduce kavumba2020 --full
    """
    from .. import files
    from ..report.terminal import print_json, print_out
    from ..reproduce import read
    from ..reproduce import reproduce as compared
    from ..reproduce.as_json import as_json as for_machines
    from ..reproduce.figures import wanted
    from ..reproduce.page import page
    from ..reproduce.terminal import shown

    if output:
        files.check(output)
    if model and full:
        raise BadInput("--full", "uses the paper's checkpoints: leave out --model")
    figures = read(paper)
    asked = wanted(figures, tables)
    means = Means.taken({"recipe": None, "deterministic": False, "jobs": jobs, "engine": "local"})
    reruns = _reruns(figures, asked, model, means, seeds, store, data) if model or full else {}
    named = model or ("the paper's own checkpoints" if full else None)
    found = compared(figures, asked, data, reruns, named)
    if output:
        files.write(output, page(found).encode())
    if as_json:
        print_json(for_machines(found))
    else:
        print_out(shown(found))


def _reruns(
    paper: Paper,
    tables: Sequence[str],
    model: str | None,
    means: Means,
    seeds: str | None,
    store: str,
    data: str | None,
) -> dict[Place, Ours]:
    """What the model gives for rows of these tables."""
    from ..reproduce.rerun import Asked, fill

    def sweep(benchmark: Benchmark, runs: Sequence[Run], keep: str | None) -> Sequence[Predictions]:
        return swept(benchmark, runs, store, means, keep)

    numbers = means.seeds(seeds) if seeds else None
    return fill(paper, tables, Asked(model, numbers, sweep, f"{store}/kept", mention), data)
