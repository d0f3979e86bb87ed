"""The group of all commands."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, metadata
from typing import Any, ClassVar

import click

from ._command import CheckedGroup

CONTEXT_SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _CommandGroup(CheckedGroup):
    """All commands, listed by what people want to do.

    The module of a command is imported when it is needed: all of them take long.
    """

    group_class = CheckedGroup  # groups in it are listed as usual

    sections: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "Check a benchmark": ("audit", "run", "gate", "report", "diff", "card"),
        "Look at benchmarks and files": ("list", "show", "validate"),
        "Answers of models": ("predict", "convert", "compare"),
        "Fix a benchmark": ("edit", "worksheet"),
        "Search training text": ("index", "scan", "levels"),
        "Research": ("reproduce", "vectors", "count"),
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of all commands without importing them."""
        return sorted(name for names in self.sections.values() for name in names)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return a command; its module adds it to the group."""
        if name not in self.commands and name in self.list_commands(ctx):
            import_module(f".{name}", __package__)
        return super().get_command(ctx, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in sections, all aligned."""
        width = max(map(len, self.list_commands(ctx)))
        for title, names in self.sections.items():
            with formatter.section(title):
                rows = [
                    (f"{name:{width}}", command.get_short_help_str(limit=80))
                    for name in names
                    if (command := self.get_command(ctx, name)) is not None
                ]
                formatter.write_dl(rows)


@click.group(cls=_CommandGroup, context_settings=CONTEXT_SETTINGS)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(metadata.version("hansproof"), prog_name="hansproof")
def cli(debug: bool) -> None:
    """Find out whether a multiple-choice benchmark can be answered without its questions.

    \b
    Examples:
      hansproof audit toy:original -o audit        a toy benchmark with flaws
      hansproof audit items.jsonl -o audit         your own file
      hansproof audit copa --predictions 'runs/*'  and the answers of models
      hansproof run cues copa:dev --ngram 1        one probe, in the terminal
      hansproof list                               benchmarks, probes, models
    """
