"""`hansproof compare`: compare two systems item by item."""

from __future__ import annotations

from typing import Any

import click

from ..errors import BadInput
from ._main import cli
from ._options import item_options, load_benchmark


@cli.command()
@click.argument("a")
@click.argument("b")
@click.option("--bench", metavar="BENCH", help="The benchmark, where the files do not name it.")
@click.option("--seeds", type=click.Choice(("mean", "pooled")), default="mean", show_default=True,
              help="Count an item once by its mean over runs, or once for each run.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the Result as JSON.")
@item_options
def compare(a: str, b: str, bench: str | None, seeds: Any, as_json: bool, **flags: Any) -> None:
    """Compare two systems item by item. A and B are files of runs, or wildcards for many seeds.

    They are compared on the items that both answered. NAME=FILES names a system.

    \b
    Examples:
      hansproof compare bert.jsonl roberta.jsonl
      hansproof compare 'runs/bert.*.jsonl' 'runs/roberta.*.jsonl' --bench copa
    """
    from .. import logs
    from ..probes.compare import compare_runs
    from ..report.terminal.output import print_result

    benchmark = load_benchmark(bench or _read_benchmark_name(a), flags)
    runs = logs.read([a], benchmark), logs.read([b], benchmark)
    print_result(compare_runs(benchmark, runs, (a, b), seeds), as_json)


def _read_benchmark_name(pattern: str) -> str:
    """Read the name of the benchmark from the first file of a pattern."""
    from .. import plugins
    from .._infra.atomic_io import expand_paths
    from ..logs import split_label
    from ..predictions import read_benchmark_name

    first_path = expand_paths(split_label(pattern)[1])[0]
    try:
        name = read_benchmark_name(first_path)
    except BadInput:
        name = ""
    if name not in plugins.names("benchmarks"):
        raise BadInput(pattern, "does not name a benchmark that is known here: give --bench")
    return name
