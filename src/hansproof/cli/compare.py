"""`hansproof compare`: compare two systems item by item."""

from __future__ import annotations

from typing import Any

import click

from ._completion import complete_benchmarks
from ._main import cli
from ._options import item_options, load_benchmark
from ._printing import print_output


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option("--bench", metavar="BENCH", shell_complete=complete_benchmarks,
              help="The benchmark, if the files do not name it.")  # fmt: skip
@click.option("--seeds", type=click.Choice(("mean", "pooled")), default="mean", show_default=True,
              help="Count each item once, by its mean over the runs, or once for each run.",
              )  # fmt: skip
@item_options
def compare(a: str, b: str, bench: str | None, seeds: Any, **flags: Any) -> None:
    """Compare two systems item by item.

    A and B are files with the answers of one system each, or wildcards for many seeds. NAME=FILES
    gives a system a name. The systems are compared on the items that both answered.

    \b
    Examples:
      hansproof compare bert.jsonl roberta.jsonl
      hansproof compare 'runs/bert.*.jsonl' 'runs/roberta.*.jsonl' --bench copa
    """
    from .. import logs
    from ..inputs.benchmark_name import find_benchmark_name
    from ..probes.compare import compare_runs
    from ..report.terminal.result import result_view

    benchmark = load_benchmark(bench or find_benchmark_name(a), flags)
    runs = logs.read_runs([a], benchmark), logs.read_runs([b], benchmark)
    result = compare_runs(benchmark, runs, (a, b), seeds)
    print_output(result, lambda: result_view(result))
