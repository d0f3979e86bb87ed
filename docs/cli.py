"""Write docs/cli.md from the commands' own --help."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hansproof.cli import CONTEXT_SETTINGS, cli

PAGE = Path(__file__).parent / "cli.md"


def page() -> str:
    """The reference: every command, then every probe, edit and worksheet."""
    context = click.Context(cli)
    groups = [name for name, one in cli.commands.items() if isinstance(one, click.Group)]
    plugged = [[group, name] for group in groups for name in _group(group).list_commands(context)]
    names = [[], *([name] for name in cli.commands), *plugged]
    parts = ["# Command line\n\nWritten by `make docs` from `--help`; a test keeps it true.\n"]
    for name in names:
        title = " ".join(["hansproof", *name])
        parts.append(f"\n## {title}\n\n```text\n{_help(name)}```\n")
    return "".join(parts)


def _group(name: str) -> click.Group:
    found = cli.commands[name]
    assert isinstance(found, click.Group)
    return found


def _help(name: list[str]) -> str:
    command: click.Command = cli
    settings = {**CONTEXT_SETTINGS, "terminal_width": 90}
    context = click.Context(cli, info_name="hansproof", **settings)
    for part in name:
        assert isinstance(command, click.Group)
        found = command.get_command(context, part)
        assert found is not None
        command = found
        context = click.Context(command, context, info_name=part, **settings)
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines()) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"wrote {PAGE}", file=sys.stderr)
