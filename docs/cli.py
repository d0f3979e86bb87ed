"""Write docs/cli.md from the --help of all commands."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hansproof.cli import CONTEXT_SETTINGS, cli

PAGE = Path(__file__).parent / "cli.md"
INTRODUCTION = """\
# Command line

The `--help` of every command. `make docs` writes this page, and a test checks that it is current.

| exit code | meaning |
|---|---|
| 0 | success |
| 1 | a gate that did not pass, an audit with a failed probe, a corpus that was read in part |
| 2 | bad input, or memory or disk space that ran out; one line on stderr says what to do |
| 130 | interrupted by Ctrl-C; `audit`, `predict` and `scan` continue when they are run again |
| 141 | the program that reads stdout has ended, as in `hansproof list \\| head -1` |

Commands never overwrite their input. An existing output file is replaced if hansproof generated it
(audits, pages, indexes, results of scans, JUnit files). A file that people edit (items, worksheets,
tables, cards) is replaced only if hansproof wrote it and nobody has changed it since, which it
knows from `.hansproof-written.json` beside the file. `--force` replaces any existing file but an
input. An interrupted audit keeps its results in `.hansproof-unfinished.jsonl` in the output folder.
"""


def page() -> str:
    """Render the reference: all commands, then all probes, edits and worksheets."""
    context = click.Context(cli)
    # in the order of their names, not in that in which they happened to be imported
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    groups = [name for name, command in commands.items() if isinstance(command, click.Group)]
    subcommands = [
        [group, name] for group in groups for name in _get_group(group).list_commands(context)
    ]
    names = [[], *([name] for name in commands), *subcommands]
    parts = [INTRODUCTION]
    for name in names:
        title = " ".join(["hansproof", *name])
        parts.append(f"\n## {title}\n\n```text\n{_render_help(name)}```\n")
    return "".join(parts)


def _get_group(name: str) -> click.Group:
    group = cli.commands[name]
    assert isinstance(group, click.Group)
    return group


def _render_help(name: list[str]) -> str:
    command: click.Command = cli
    settings = {**CONTEXT_SETTINGS, "terminal_width": 90}
    context = click.Context(cli, info_name="hansproof", **settings)
    for part in name:
        assert isinstance(command, click.Group)
        subcommand = command.get_command(context, part)
        assert subcommand is not None
        command = subcommand
        context = click.Context(command, context, info_name=part, **settings)
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines()) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"wrote {PAGE}", file=sys.stderr)
