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


def build_plugin(kind: str, spec: str) -> Any:
    """The plug-in of a name or a Python file, with the parameters that follow a colon."""
    name = plugin_name(spec)
    plugin_class = _load_dataclass(kind, name)
    fields, hints = _init_fields(plugin_class), typing.get_type_hints(plugin_class)
    values = {}
    for key, text in _parse_parameters(spec, fields).items():
        values[key] = _parse_value(hints[key], text, f"{name}:{key}")
    for key, field in fields.items():
        if key not in values and field.default is field.default_factory is dataclasses.MISSING:
            raise BadInput(spec, f"{key} must be given: {name}:{key}=VALUE")
    return plugin_class(**values)


def plugin_name(spec: str) -> str:
    """What stands before the colon."""
    return spec.partition(":")[0]


def with_parameter(
    kind: str, spec: str, key: str, value: str, value_type: type | None = None
) -> str | None:
    """The same with one more parameter, unless it has that; None where there is none such.

    None, too, where that parameter is not of the type it should hold.
    """
    name, _, parameters = spec.partition(":")
    plugin_class = _load_dataclass(kind, name)
    fields = _init_fields(plugin_class)
    if key not in fields or (
        value_type is not None and typing.get_type_hints(plugin_class)[key] is not value_type
    ):
        return None
    if key in _parse_parameters(spec, fields):
        return spec
    return f"{name}:{','.join(filter(None, (parameters, f'{key}={value}')))}"


def _load_dataclass(kind: str, name: str) -> Any:
    plugin_class = plugins.load_class(kind, name)
    if not dataclasses.is_dataclass(plugin_class):
        singular = kind.removesuffix("s")
        raise BadInput(
            name,
            f"{plugin_class.__name__} is no dataclass: a {singular}'s fields are its parameters",
        )
    return plugin_class


def _init_fields(plugin_class: Any) -> dict[str, dataclasses.Field[Any]]:
    return {field.name: field for field in dataclasses.fields(plugin_class) if field.init}


def _parse_parameters(spec: str, fields: dict[str, dataclasses.Field[Any]]) -> dict[str, str]:
    """The parameters of a spec by name, as texts."""
    name, _, parameter_text = spec.partition(":")
    parameters: dict[str, str] = {}
    for pair in filter(None, parameter_text.split(",")):
        key, equals, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        is_unnamed = not parameters and not equals and key not in fields
        if is_unnamed and fields:  # what comes first may do without its name
            key, equals, text = next(iter(fields)), "=", pair
        if key not in fields:
            if not parameters and fields and not key.isidentifier():  # a path that has a = in it
                message = f"a value with = in it needs its name: {name}:{next(iter(fields))}={pair}"
                raise BadInput(spec, message)
            raise UnknownName(f"parameter of {name}", key, fields)
        if not equals:
            raise BadInput(spec, f"{key} has no value: {name}:{key}=VALUE")
        if key in parameters:
            raise BadInput(spec, f"{key} is given twice")
        parameters[key] = text.strip()
    return parameters


def _parse_value(hint: Any, text: str, location: str) -> Any:
    """A text as what a field holds; several values of a tuple are parted by bars."""
    origin, type_args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return tuple(_parse_value(type_args[0], element, location) for element in text.split("|"))
    if origin is typing.Literal:
        if text not in type_args:
            raise BadInput(location, f"is {text!r}, must be {' or '.join(filter(None, type_args))}")
        return text
    if isinstance(hint, types.UnionType) or origin is typing.Union:
        return _parse_value(
            next(type_arg for type_arg in type_args if type_arg is not type(None)), text, location
        )
    if hint is bool:
        if text.lower() not in ("true", "false"):
            raise BadInput(location, f"is {text!r}, must be true or false")
        return text.lower() == "true"
    try:
        return hint(text)
    except ValueError:
        raise BadInput(location, f"is {text!r}, which is no {hint.__name__}") from None
