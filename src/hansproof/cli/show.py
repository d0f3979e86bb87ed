"""`hansproof show`: print a benchmark's source, its splits and a few items."""

from __future__ import annotations

from typing import Any

import click

from ._main import cli
from ._options import bench_argument, item_options, load_benchmark


@cli.command()
@bench_argument
@click.option(
    "--items", "n_items", default=2, show_default=True, help="Items to show of each split."
)
@item_options
def show(bench: str | list[str], n_items: int, **flags: Any) -> None:
    """Show a benchmark: where it comes from, its splits, a few items.

    \b
    Examples:
      hansproof show toy
      hansproof show questions.csv --choices A --choices B --answer key --field stem
    """
    from ..report.terminal.benchmark import benchmark_view
    from ..report.terminal.output import print_view

    print_view(benchmark_view(load_benchmark(bench, flags), n_items))
