"""`hansproof list`: name all plug-ins with their summaries."""

from __future__ import annotations

import click

from .. import plugins
from ._main import cli


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
