"""Plug-ins with their parameters in one word: `bow`, or `bow:ngram=1,penalty=2`.

A plug-in is a frozen dataclass, its fields are its parameters. What follows the colon without a
name is the value of the first field: `hf:bert-base-uncased,recipe=branco`.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from . import plugins
from .errors import BadInput, UnknownName


def made(kind: str, spec: str) -> Any:
    """The plug-in of a name or a Python file, with the parameters that follow a colon."""
    name = name_of(spec)
    about = _class(kind, name)
    fields, hints = _fields(about), typing.get_type_hints(about)
    values = {}
    for key, text in _pairs(spec, fields).items():
        values[key] = _value(hints[key], text, f"{name}:{key}")
    for key, field in fields.items():
        if key not in values and field.default is field.default_factory is dataclasses.MISSING:
            raise BadInput(spec, f"{key} must be given: {name}:{key}=VALUE")
    return about(**values)


def name_of(spec: str) -> str:
    """What stands before the colon."""
    return spec.partition(":")[0]


def with_parameter(
    kind: str, spec: str, key: str, value: str, holds: type | None = None
) -> str | None:
    """The same with one more parameter, unless it has that; None where there is none such.

    None, too, where that parameter is not of the type it should hold.
    """
    name, _, given = spec.partition(":")
    about = _class(kind, name)
    fields = _fields(about)
    if key not in fields or (holds is not None and typing.get_type_hints(about)[key] is not holds):
        return None
    if key in _pairs(spec, fields):
        return spec
    return f"{name}:{','.join(filter(None, (given, f'{key}={value}')))}"


def _class(kind: str, name: str) -> Any:
    about = plugins.class_of(kind, name)
    if not dataclasses.is_dataclass(about):
        one = kind.removesuffix("s")
        raise BadInput(
            name, f"{about.__name__} is no dataclass: a {one}'s fields are its parameters"
        )
    return about


def _fields(about: Any) -> dict[str, dataclasses.Field[Any]]:
    return {field.name: field for field in dataclasses.fields(about) if field.init}


def _pairs(spec: str, fields: dict[str, dataclasses.Field[Any]]) -> dict[str, str]:
    """The parameters of a spec by name, as texts."""
    name, _, given = spec.partition(":")
    found: dict[str, str] = {}
    for pair in filter(None, given.split(",")):
        key, equals, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        bare = not found and not equals and key not in fields
        if bare and fields:  # what comes first may do without its name
            key, equals, text = next(iter(fields)), "=", pair
        if key not in fields:
            if not found and fields and not key.isidentifier():  # a path that has a = in it
                what = f"a value with = in it needs its name: {name}:{next(iter(fields))}={pair}"
                raise BadInput(spec, what)
            raise UnknownName(f"parameter of {name}", key, fields)
        if not equals:
            raise BadInput(spec, f"{key} has no value: {name}:{key}=VALUE")
        if key in found:
            raise BadInput(spec, f"{key} is given twice")
        found[key] = text.strip()
    return found


def _value(hint: Any, text: str, where: str) -> Any:
    """A text as what a field holds; several values of a tuple are parted by bars."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return tuple(_value(parts[0], one, where) for one in text.split("|"))
    if origin is typing.Literal:
        if text not in parts:
            raise BadInput(where, f"is {text!r}, must be {' or '.join(filter(None, parts))}")
        return text
    if isinstance(hint, types.UnionType) or origin is typing.Union:
        return _value(next(one for one in parts if one is not type(None)), text, where)
    if hint is bool:
        if text.lower() not in ("true", "false"):
            raise BadInput(where, f"is {text!r}, must be true or false")
        return text.lower() == "true"
    try:
        return hint(text)
    except ValueError:
        raise BadInput(where, f"is {text!r}, which is no {hint.__name__}") from None
