"""`hansproof show`: print a benchmark's source, its splits and a few items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ._main import cli
from ._options import BENCH_HELP, bench_argument, item_options, load_benchmark
from ._printing import print_output

if TYPE_CHECKING:
    from ..types import Benchmark


@cli.command(epilog=BENCH_HELP)
@bench_argument
@click.option(
    "--items",
    "n_items",
    default=2,
    show_default=True,
    help="Number of items to show of each split.",
)
@item_options
def show(bench: str | list[str], n_items: int, **flags: Any) -> None:
    """Show a benchmark: its origin, its splits and a few items.

    \b
    Examples:
      hansproof show toy
      hansproof show quiz.csv --choices A --choices B --answer key --field stem
    """
    from .._infra.validation import check_range
    from ..report.terminal.benchmark import benchmark_view

    check_range("items", n_items, 0)
    benchmark = load_benchmark(bench, flags)
    print_output(
        _describe_benchmark(benchmark, n_items), lambda: benchmark_view(benchmark, n_items)
    )


def _describe_benchmark(benchmark: Benchmark, n_items: int) -> dict[str, Any]:
    """Return what `--json` prints: the card, the splits, and their first items."""
    labelled, hashes = benchmark.labelled_splits(), benchmark.sha256()
    splits = {
        split: {
            "items": len(items),
            "labelled": split in labelled,
            "sha256": hashes[split],
            "first_items": items[:n_items],
        }
        for split, items in benchmark.splits.items()
    }
    return {
        "name": benchmark.name,
        "card": benchmark.card,
        "roles": benchmark.roles,
        "aliases": benchmark.aliases,
        "splits": splits,
    }
