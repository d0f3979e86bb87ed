"""A command from a dataclass: every field is a flag, the comment beside it is its help."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Callable
from typing import Any

import click

from . import files
from .types import Benchmark

COMMENT = re.compile(r"^\s*(\w+)\s*:[^#\n]*#\s*(.+?)\s*$", re.M)


def probe_command(
    name: str,
    probe: Any,
    reading: Callable[[Callable[..., Any]], Callable[..., Any]],
    load: Callable[[str, dict[str, Any]], Benchmark],
) -> click.Command:
    """The command that runs a probe with the flags given and prints its Result."""
    fields = [field.name for field in dataclasses.fields(probe)]

    def command(bench: str, as_json: bool, every: str | None = None, **values: Any) -> None:
        from .report.terminal import print_json, print_out, result_view

        asked = probe(**{field: values.pop(field) for field in fields})
        if every:
            files.check(every)
        benchmark = load(bench, values)
        result = asked(benchmark)
        if every:
            from .formats.parquet import write_columns

            write_columns(every, asked.every(benchmark))
        if as_json:
            print_json(result)
        else:
            print_out(result_view(result))

    built = reading(command)
    built = click.option("--json", "as_json", is_flag=True, help="Print the Result as JSON.")(built)
    if hasattr(probe, "every"):
        text = "Also write every row, however rare, to this Parquet file."
        built = click.option("--all", "every", metavar="FILE.parquet", help=text)(built)
    for option in reversed(options(probe)):
        built = option(built)
    built = click.argument("bench")(built)
    doc = inspect.getdoc(inspect.getmodule(probe)) or ""
    return click.command(name, help=doc)(built)


def options(probe: Any) -> list[Callable[..., Any]]:
    """One click option for every field of a dataclass."""
    help_ = dict(COMMENT.findall(inspect.getsource(probe)))
    hints = typing.get_type_hints(probe)
    return [
        click.option(
            f"--{field.name.replace('_', '-')}",
            field.name,
            type=_plain(hints[field.name]),
            default=field.default,
            show_default=field.default is not None,
            help=help_.get(field.name),
        )
        for field in dataclasses.fields(probe)
    ]


def _plain(hint: Any) -> Any:
    """`str` for `str | None`."""
    if isinstance(hint, types.UnionType):
        return next(arg for arg in typing.get_args(hint) if arg is not type(None))
    return hint
