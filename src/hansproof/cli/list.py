"""Commands that show what there is: list, show, validate."""

from __future__ import annotations

from typing import Any

import click

from .. import plugins
from ._main import cli
from ._options import item_options, load_benchmark


@cli.command("list")
@click.argument("kind", required=False, type=click.Choice(plugins.KINDS))
def list_(kind: str | None) -> None:
    """Name every benchmark, probe, edit, file format and kind of log, with what it is about.

    \b
    Examples:
      hansproof list
      hansproof list probes
    """
    for plugin_kind in (kind,) if kind else plugins.KINDS:
        if not kind:
            click.echo(f"{plugin_kind}:")
        for name, summary in plugins.names(plugin_kind).items():
            click.echo(f"{'' if kind else '  '}{name:<18}{summary}")


@cli.command()
@click.argument("bench")
@click.option("--items", "most", default=2, show_default=True, help="Items to show of each split.")
@item_options
def show(bench: str, n_items: int, **flags: Any) -> None:
    """Show a benchmark: where it comes from, its splits, a few items.

    \b
    Examples:
      hansproof show stable
      hansproof show questions.csv --choices A --choices B --answer key --field stem
    """
    from ..report.terminal.result import benchmark_view, print_view

    print_view(benchmark_view(load_benchmark(bench, flags), n_items))


@cli.command()
@click.argument("bench")
@item_options
def validate(bench: str, **flags: Any) -> None:
    """Check that a benchmark can be read; say what was understood, or the first thing wrong.

    \b
    Examples:
      hansproof validate items.jsonl
      hansproof validate test.jsonl --labels test-labels.lst
    """
    from ..report.escape import reveal_hidden

    benchmark = load_benchmark(bench, flags)
    for split, items in benchmark.splits.items():
        choice_counts = sorted({len(item.choices) for item in items})
        answers = "labelled" if split in benchmark.labelled_splits() else "no answers"
        fields = ", ".join(dict.fromkeys(name for item in items for name in item.fields))
        choices = "/".join(map(str, choice_counts))
        line = f"{split}: {len(items)} items, {choices} choices, {answers}; fields: {fields}"
        click.echo(reveal_hidden(line))
