"""Every command prints JSON with --json, and nothing but errors with --quiet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hansproof import plugins
from hansproof.cli import CONTEXT_SETTINGS
from hansproof.cli._commands import cli

from ..support.cli_runner import run_here


def leaf_commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of all commands that are not groups."""
    if not isinstance(command, click.Group):
        yield path
        return
    context = click.Context(command, **CONTEXT_SETTINGS)
    for name in command.list_commands(context):
        child = command.get_command(context, name)
        assert child is not None
        yield from leaf_commands(child, (*path, name))


def find_command(path: tuple[str, ...]) -> click.Command:
    command: click.Command | None = cli
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command, **CONTEXT_SETTINGS), name)
    assert command is not None
    return command


@pytest.mark.parametrize("path", [*leaf_commands(cli)], ids=" ".join)
def test_every_command_has_json_and_quiet(path: tuple[str, ...]) -> None:
    options = [option for parameter in find_command(path).params for option in parameter.opts]
    assert options.count("--json") == 1
    assert options.count("--quiet") == 1
    assert options.count("-q") == 1


COMMANDS = {
    "audit": ("audit", "toy:original", "-o", "out"),
    "card": ("card", "saved"),
    "card to a file": ("card", "saved", "-o", "card.md"),
    "diff": ("diff", "saved", "saved"),
    "edit": ("edit", "permute", "toy:original", "-o", "permuted"),
    "gate": ("gate", "saved"),
    "index": ("index", "toy:original", "-o", "toy.npz"),
    "list": ("list",),
    "list probes": ("list", "probes"),
    "predict": ("predict", "toy:original", "--model", "bow", "--seeds", "1", "--store", "runs"),
    "report": ("report", "saved", "-o", "page.html"),
    "run": ("run", "class_balance", "toy:original"),
    "show": ("show", "toy"),
    "validate": ("validate", "toy"),
    "worksheet": ("worksheet", "mirror", "toy:original", "-o", "sheet.csv"),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("printing")
    done = run_here("audit", "toy:original", "-o", "saved", "--quiet", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_output_is_json_or_nothing(name: str, saved: Path) -> None:
    args = COMMANDS[name]
    both = run_here(*args, "--json", "--quiet", "--force" if "-o" in args else "-q", cwd=saved)
    assert json.loads(both.stdout)
    assert both.stderr == ""
    quiet = run_here(*args, "-q", *(["--force"] if "-o" in args else []), cwd=saved)
    assert (quiet.stdout, quiet.stderr) == ("", "")
    assert quiet.returncode == both.returncode == (1 if name == "gate" else 0)


def test_errors_are_printed_however_quiet(tmp_path: Path) -> None:
    done = run_here("audit", "nowhere.jsonl", "-q", "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "nowhere.jsonl" in done.stderr


def test_the_list_as_json_has_every_plugin(tmp_path: Path) -> None:
    listed = json.loads(run_here("list", "--json", cwd=tmp_path).stdout)
    prompts = listed.pop("prompts")
    assert listed == {kind: plugins.names(kind) for kind in plugins.KINDS}
    assert [*prompts] == ["bare", "letters", "steps"]
    assert all(Path(text.partition("File: ")[2]).is_file() for text in prompts.values())
