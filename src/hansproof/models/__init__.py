"""Models by name, one file each: `bow`, or with parameters `bow:ngram=1,penalty=2`.

A model is a frozen dataclass, its fields are its parameters. It has `score`, or first `fit`; it
gets items as a view shows them (`hansproof.views`) and gives one score per choice, of as many
choices as an item has. Beside these it may tell: `tokenizer`, `device`, `chosen` (what `fit`
settled on), `materials()` (fingerprints of the files it uses).
"""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from .. import plugins
from ..errors import BadInput, UnknownName

__all__ = ["load"]


def load(spec: str) -> Any:
    """The model of a name or a Python file, with the parameters that follow a colon."""
    name, _, given = spec.partition(":")
    made = plugins.class_of("models", name)
    if not hasattr(made, "__dataclass_fields__"):
        raise BadInput(
            name, f"{made.__name__} is no dataclass: a model's fields are its parameters"
        )
    hints = typing.get_type_hints(made)
    fields = {field.name: field for field in dataclasses.fields(made) if field.init}
    values = {}
    for pair in filter(None, given.split(",")):
        key, equals, value = pair.partition("=")
        key = key.strip().replace("-", "_")
        if key not in fields:
            raise UnknownName(f"parameter of {name}", key, fields)
        if not equals:
            raise BadInput(spec, f"{key} has no value: {name}:{key}=VALUE")
        values[key] = _value(hints[key], value.strip(), f"{name}:{key}")
    for key, field in fields.items():
        if key not in values and field.default is field.default_factory is dataclasses.MISSING:
            raise BadInput(spec, f"{key} must be given: {name}:{key}=VALUE")
    return made(**values)


def _value(hint: Any, text: str, where: str) -> Any:
    """A text as what a field holds; several values of a tuple are parted by bars."""
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return tuple(_value(parts[0], one, where) for one in text.split("|"))
    if origin is typing.Literal:
        if text not in parts:
            raise BadInput(where, f"is {text!r}, must be {' or '.join(parts)}")
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
