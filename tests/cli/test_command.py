"""Empty values, which are unset shell variables, and the headings of --help."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hansproof.cli import COMMANDS, CONTEXT_SETTINGS, cli
from hansproof.cli._command import CheckedCommand, HeadedOption

from ..support.cli_runner import expect_one_line_error, run_here


def leaf_commands(
    group: click.Group, words: tuple[str, ...], parent: click.Context | None
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(
        group, parent=parent, info_name=words[-1] if words else "hansproof", **CONTEXT_SETTINGS
    )
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaf_commands(command, (*words, name), context)
        else:
            yield (*words, name), command


LEAVES = dict(leaf_commands(cli, (), None))


def takes_bench(command: click.Command) -> bool:
    return any(p.name == "bench" and isinstance(p, click.Argument) for p in command.params)


def text_parameters(command: click.Command) -> list[click.Parameter]:
    return [
        parameter
        for parameter in command.params
        if isinstance(parameter.type, click.types.StringParamType)
    ]


def arguments_for(command: click.Command, empty: click.Parameter) -> list[str]:
    """Arguments in which one value is empty and all others that are required are given."""
    options: list[str] = []
    positional: list[str] = []
    for parameter in command.params:
        value = "" if parameter is empty else "given"
        if isinstance(parameter, click.Argument):
            positional.append(value)
        elif parameter is empty or parameter.required:
            options += [parameter.opts[-1], value]
    return [*positional, *options]


def test_all_commands_are_tried() -> None:
    assert {words[0] for words in LEAVES} == set(COMMANDS)
    assert len(LEAVES) > 40
    assert sum(len(text_parameters(command)) for command in LEAVES.values()) > 300


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_an_empty_value_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    command = LEAVES[words]
    assert isinstance(command, CheckedCommand)
    for parameter in text_parameters(command):
        args = arguments_for(command, parameter)
        message = expect_one_line_error(run_here(*words, *args, cwd=tmp_path))
        is_option = isinstance(parameter, click.Option)
        label = parameter.opts[-1] if is_option else parameter.human_readable_name
        assert message.startswith(f"hansproof: {label}: is empty")
    assert list(tmp_path.iterdir()) == []


def test_one_empty_value_of_several_is_refused(tmp_path: Path) -> None:
    done = run_here("index", "toy", "", "-o", "index.npz", cwd=tmp_path)
    assert "BENCH: is empty" in expect_one_line_error(done)
    done = run_here("audit", "toy", "--predictions", "a.jsonl", "", cwd=tmp_path)
    assert "--predictions: is empty" in expect_one_line_error(done)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_help_lists_every_option_once_and_its_own_options_first(words: tuple[str, ...]) -> None:
    command = LEAVES[words]
    context = click.Context(command, info_name="hansproof", terminal_width=90, **CONTEXT_SETTINGS)
    lines = "".join(command.get_help(context).partition("Options:\n")[1:]).splitlines()
    listed = [line for line in lines if line.startswith("  -")]
    assert len(listed) == sum(isinstance(p, click.Option) for p in command.get_params(context))
    headings = [p.heading for p in command.params if isinstance(p, HeadedOption)]
    sections = [line for line in lines if line in {"Options:", *(f"{h}:" for h in headings)}]
    assert sections == ["Options:", *(f"{heading}:" for heading in dict.fromkeys(headings))]


def test_help_of_audit_has_headings() -> None:
    text = LEAVES["audit",].get_help(click.Context(LEAVES["audit",], **CONTEXT_SETTINGS))
    own, models, inputs, items = text.split("Options:")[1].split(":\n  --")[:4]
    assert "--output" in own
    assert own.endswith("How models are run")
    assert models.startswith("model ")
    assert models.endswith("Inputs besides the benchmark")
    assert inputs.startswith("predictions ")
    assert inputs.endswith("How items are read")
    assert "--answers-from" in items


def show_help(words: tuple[str, ...]) -> str:
    """The --help of a command on a terminal of 80 columns."""
    context = click.Context(
        cli,
        info_name="hansproof",
        terminal_width=80,
        **{**CONTEXT_SETTINGS, "max_content_width": 80},
    )
    command: click.Command = cli
    for word in words:
        assert isinstance(command, click.Group)
        found = command.get_command(context, word)
        assert found is not None
        command, context = found, click.Context(found, parent=context, info_name=word)
    return command.get_help(context)


@pytest.mark.parametrize(
    "words", [(), ("run",), ("edit",), ("worksheet",), ("vectors",), *LEAVES], ids=" ".join
)
def test_help_fits_a_terminal_of_80_columns(words: tuple[str, ...]) -> None:
    assert [line for line in show_help(words).splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_help_lists_options_and_no_arguments(words: tuple[str, ...]) -> None:
    """Since click 8.3, arguments have a help record, too, here an empty one."""
    rows = show_help(words).partition("\nOptions:\n")[2].splitlines()
    assert rows[0].lstrip().startswith("-")


@pytest.mark.parametrize(
    "words",
    [words for words, command in LEAVES.items() if takes_bench(command) and words[0] != "vectors"],
    ids=" ".join,
)
def test_a_command_that_takes_a_benchmark_explains_how_to_name_it(words: tuple[str, ...]) -> None:
    assert "BENCH is the name of a benchmark" in show_help(words)
