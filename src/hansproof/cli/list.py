"""`hansproof list`: name all plug-ins with their summaries."""

from __future__ import annotations

import click

from .. import plugins
from ._main import cli
from ._printing import print_lines


@cli.command("list")
@click.argument("kind", required=False, type=click.Choice(plugins.KINDS))
def list_(kind: str | None) -> None:
    """List benchmarks, models, probes, edits, formats and logs.

    \b
    Examples:
      hansproof list
      hansproof list probes
    """
    summaries = {name: plugins.names(name) for name in ((kind,) if kind else plugins.KINDS)}
    lines: list[str] = []
    for plugin_kind, names in summaries.items():
        lines += [] if kind else [f"{plugin_kind}:"]
        lines += [f"{'' if kind else '  '}{name:<18}{names[name]}" for name in names]
    print_lines(summaries[kind] if kind else summaries, *lines)
