"""Flags from a dataclass: every field is one, the comment beside it is its help."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Callable
from typing import Any

import click

COMMENT = re.compile(r"^\s*(\w+)\s*:[^#\n]*#\s*(.+?)\s*$", re.M)


def options(about: Any) -> list[Callable[..., Any]]:
    """One click option for every field of a dataclass."""
    bases: list[Any] = [one for one in reversed(about.__mro__) if dataclasses.is_dataclass(one)]
    help_ = dict(pair for base in bases for pair in COMMENT.findall(inspect.getsource(base)))
    hints = typing.get_type_hints(about)
    return [
        click.option(
            f"--{field.name.replace('_', '-')}",
            field.name,
            type=_plain(hints[field.name]),
            default=field.default,
            show_default=field.default is not None,
            help=help_.get(field.name),
        )
        for field in dataclasses.fields(about)
    ]


def built(about: Any, values: dict[str, Any]) -> Any:
    """The dataclass made from its flags, which are taken out of `values`."""
    return about(**{field.name: values.pop(field.name) for field in dataclasses.fields(about)})


def _plain(hint: Any) -> Any:
    """`str` for `str | None`, a choice of words for a literal."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        hint = next(arg for arg in typing.get_args(hint) if arg is not type(None))
    if typing.get_origin(hint) is typing.Literal:
        return click.Choice(typing.get_args(hint))
    return hint
