"""`hansproof list`: name all plug-ins with their summaries."""

from __future__ import annotations

import shutil
import sys
import textwrap

import click

from .. import plugins
from ..prompts.template_files import list_templates
from ._main import cli
from ._printing import print_lines

NAME_WIDTH = 18
MIN_WIDTH = 40  # of a line; a narrower terminal folds lines itself


PROMPTS = "prompts"  # not plug-ins: files that users copy and change


@cli.command("list")
@click.argument("kind", required=False, type=click.Choice((*plugins.KINDS, PROMPTS)))
def list_(kind: str | None) -> None:
    """List benchmarks, models, probes, edits, formats, logs and prompt files.

    \b
    Examples:
      hansproof list
      hansproof list probes
      hansproof list prompts
    """
    kinds = (kind,) if kind else (*plugins.KINDS, PROMPTS)
    summaries = {
        name: _read_prompts() if name == PROMPTS else plugins.names(name) for name in kinds
    }
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


def _read_prompts() -> dict[str, str]:
    """Map the names of prompt files to their first comments, and to where they are."""
    summaries = {}
    for name, path in list_templates().items():
        with open(path, encoding="utf-8") as file:
            summary = file.readline().removeprefix("#").strip()
        summaries[name] = f"{summary} File: {path}"
    return summaries


def _wrap_entry(label: str, summary: str) -> list[str]:
    """Return the lines of an entry: a terminal gets them folded, a pipe gets one whole line."""
    if not sys.stdout.isatty():
        return [f"{label}{summary}"]
    width = max(shutil.get_terminal_size().columns, MIN_WIDTH)
    return textwrap.wrap(
        summary, width, initial_indent=label, subsequent_indent=" " * len(label),
        break_on_hyphens=False,
    )  # fmt: skip
