"""Models by name, one file each: `bow`, or with parameters `bow:ngram=1,penalty=2`.

A model is a frozen dataclass, its fields are its parameters. What follows the colon without a name
is the value of the first: `hf:bert-base-uncased,recipe=branco`. It has `score`, or first `fit`; it
gets items as a view shows them (`hansproof.views`) and gives one score per choice, of as many
choices as an item has.

A model may tell `materials()`, fingerprints of the files it uses. One that learns may have
`selects` (it wants items to choose by), `slow` (worth a process for every core), `fit_many`
(`hansproof.training.task`) and `room()`, how many runs it wants to be handed at once.

What is trained may tell, once it has scored: `tokenizer`, `device`, `chosen` (what `fit` settled
on), `trials` (each setting that was tried, in a line), `cut`, `sequences` and `length` (how many
texts were too long, of how many, for how many tokens), `diverged` (its weights are no numbers; it
scores ties); and have `save(folder)`.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from .. import plugins
from ..errors import BadInput, UnknownName

__all__ = ["load", "with_parameter"]


def load(spec: str) -> Any:
    """The model of a name or a Python file, with the parameters that follow a colon."""
    name = spec.partition(":")[0]
    made = _class(name)
    fields, hints = _fields(made), typing.get_type_hints(made)
    values = {}
    for key, text in _pairs(spec, fields).items():
        values[key] = _value(hints[key], text, f"{name}:{key}")
    for key, field in fields.items():
        if key not in values and field.default is field.default_factory is dataclasses.MISSING:
            raise BadInput(spec, f"{key} must be given: {name}:{key}=VALUE")
    return made(**values)


def with_parameter(spec: str, key: str, value: str, kind: type | None = None) -> str | None:
    """The same with one more parameter, unless it has that; None where a model has none such."""
    name, _, given = spec.partition(":")
    made = _class(name)
    fields = _fields(made)
    if key not in fields or (kind is not None and typing.get_type_hints(made)[key] is not kind):
        return None
    if key in _pairs(spec, fields):
        return spec
    return f"{name}:{','.join(filter(None, (given, f'{key}={value}')))}"


def _class(name: str) -> Any:
    made = plugins.class_of("models", name)
    if not hasattr(made, "__dataclass_fields__"):
        raise BadInput(
            name, f"{made.__name__} is no dataclass: a model's fields are its parameters"
        )
    return made


def _fields(made: Any) -> dict[str, dataclasses.Field[Any]]:
    return {field.name: field for field in dataclasses.fields(made) if field.init}


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
