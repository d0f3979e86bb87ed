"""Click options from a dataclass: one per field, with the comment beside it as help."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Callable
from typing import Any

import click

from ._completion import PathText

FIELD_COMMENT = re.compile(r"^\s*(\w+)\s*:[^#\n]*#\s*(.+?)\s*$", re.M)
PATH_WORDS = re.compile(r"\b(files?|folders?|CSV)\b", re.I)


def field_options(dataclass_type: Any) -> list[Callable[..., Any]]:
    """Make a click option for every field of a dataclass."""
    bases: list[Any] = [
        cls for cls in reversed(dataclass_type.__mro__) if dataclasses.is_dataclass(cls)
    ]
    help_texts = dict(
        pair for base in bases for pair in FIELD_COMMENT.findall(inspect.getsource(base))
    )
    hints = typing.get_type_hints(dataclass_type)
    return [
        click.option(
            f"--{field.name.replace('_', '-')}",
            field.name,
            type=_option_type(hints[field.name], help_texts.get(field.name, "")),
            default=field.default,
            show_default=field.default not in (None, ""),
            help=help_texts.get(field.name),
        )
        for field in dataclasses.fields(dataclass_type)
    ]


def build_from_values(dataclass_type: Any, values: dict[str, Any]) -> Any:
    """Build a dataclass from the values of its options, which are removed from `values`."""
    return dataclass_type(
        **{field.name: values.pop(field.name) for field in dataclasses.fields(dataclass_type)}
    )


def _option_type(hint: Any, help_text: str) -> Any:
    """Convert a type hint to a click type: `str` for `str | None`, a choice for a literal.

    A text that may be a file or a folder, according to its help, is completed like one.
    """
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        hint = next(arg for arg in typing.get_args(hint) if arg is not type(None))
    if typing.get_origin(hint) is typing.Literal:
        return click.Choice(typing.get_args(hint))
    return PathText() if hint is str and PATH_WORDS.search(help_text) else hint
