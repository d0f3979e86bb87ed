"""Commands that show what there is: list, show, validate."""

from __future__ import annotations

from typing import Any

import click

from .. import plugins
from ._main import cli
from ._reading import load, reading


@cli.command("list")
@click.argument("kind", required=False, type=click.Choice(plugins.KINDS))
def list_(kind: str | None) -> None:
    """Name every benchmark, probe, edit, file format and kind of log, with what it is about.

    \b
    Examples:
      hansproof list
      hansproof list probes
    """
    for one in (kind,) if kind else plugins.KINDS:
        if not kind:
            click.echo(f"{one}:")
        for name, summary in plugins.names(one).items():
            click.echo(f"{'' if kind else '  '}{name:<18}{summary}")


@cli.command()
@click.argument("bench")
@click.option("--items", "most", default=2, show_default=True, help="Items to show of each split.")
@reading
def show(bench: str, most: int, **flags: Any) -> None:
    """Show a benchmark: where it comes from, its splits, a few items.

    \b
    Examples:
      hansproof show stable
      hansproof show questions.csv --choices A --choices B --answer key --field stem
    """
    from ..report.terminal import benchmark_view, print_out

    print_out(benchmark_view(load(bench, flags), most))


@cli.command()
@click.argument("bench")
@reading
def validate(bench: str, **flags: Any) -> None:
    """Check that a benchmark can be read; say what was understood, or the first thing wrong.

    \b
    Examples:
      hansproof validate items.jsonl
      hansproof validate test.jsonl --labels test-labels.lst
    """
    from ..report.visible import visible

    benchmark = load(bench, flags)
    for split, items in benchmark.splits.items():
        sizes = sorted({len(item.choices) for item in items})
        answers = "labelled" if split in benchmark.labelled() else "no answers"
        fields = ", ".join(dict.fromkeys(name for item in items for name in item.fields))
        choices = "/".join(map(str, sizes))
        line = f"{split}: {len(items)} items, {choices} choices, {answers}; fields: {fields}"
        click.echo(visible(line))
