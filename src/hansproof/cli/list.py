"""`hansproof list`: name all plug-ins with their summaries."""

from __future__ import annotations

import shutil
import sys
import textwrap

import click

from .. import plugins
from ._main import cli
from ._printing import print_lines

NAME_WIDTH = 18
MIN_WIDTH = 40  # of a line; a narrower terminal folds lines itself


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
        indent = "" if kind else "  "
        lines += [
            line
            for name, summary in names.items()
            for line in _wrap_entry(f"{indent}{name:<{NAME_WIDTH}}", summary)
        ]
    print_lines(summaries[kind] if kind else summaries, *lines)


def _wrap_entry(label: str, summary: str) -> list[str]:
    """Return the lines of an entry: a terminal gets them folded, a pipe gets one whole line."""
    if not sys.stdout.isatty():
        return [f"{label}{summary}"]
    width = max(shutil.get_terminal_size().columns, MIN_WIDTH)
    return textwrap.wrap(
        summary, width, initial_indent=label, subsequent_indent=" " * len(label),
        break_on_hyphens=False,
    )  # fmt: skip
