"""Checks of settings that are given in Python, by the types of their fields."""

from __future__ import annotations

import os
import types
import typing
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from ..errors import BadInput

_PLAIN_TYPES = (int, float, str, bool)


def convert_value(name: str, value: object, hint: Any) -> Any:
    """Return a value if it is of the type of a field, else raise BadInput.

    Whole numbers of NumPy become `int`, paths become text. Types that are not plain, such as those
    of a probe of one's own, are not checked.
    """
    converted, fits = _match_type(value, hint)
    if fits:
        return converted
    raise BadInput(f"--{name.replace('_', '-')}", f"is {value!r:.60}, must be {_describe(hint)}")


def _match_type(value: object, hint: Any) -> tuple[object, bool]:
    """Return the value, converted if need be, and whether it is of a type."""
    origin, type_args = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, types.UnionType) or origin is typing.Union:
        matches = (_match_type(value, alternative) for alternative in type_args)
        return next((match for match in matches if match[1]), (value, False))
    if origin is typing.Literal:
        return value, any(value is option or value == option for option in type_args)
    if origin in (tuple, Sequence):
        return _match_elements(value, type_args[0])
    if hint is type(None):
        return value, value is None
    return _match_plain(value, hint) if hint in _PLAIN_TYPES else (value, True)


def _match_elements(value: object, hint: Any) -> tuple[object, bool]:
    if not isinstance(value, list | tuple):
        return value, False
    matches = [_match_type(element, hint) for element in value]
    return tuple(element for element, _ in matches), all(fits for _, fits in matches)


def _match_plain(value: object, hint: type) -> tuple[object, bool]:
    if hint is str:
        return (os.fspath(value), True) if isinstance(value, str | os.PathLike) else (value, False)
    if hint is bool or isinstance(value, bool):
        return value, hint is bool and isinstance(value, bool)
    if isinstance(value, Integral):
        return int(value), True
    return (value, True) if hint is float and isinstance(value, Real) else (value, False)


def _describe(hint: Any) -> str:
    """Describe a type in words: `of type int`, `mean or pooled`."""
    origin, type_args = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, types.UnionType) or origin is typing.Union:
        return " or ".join(_describe(alternative) for alternative in type_args)
    if origin is typing.Literal:
        return " or ".join(map(str, type_args))
    if origin in (tuple, Sequence):
        return f"a list of {type_args[0].__name__}"
    return "None" if hint is type(None) else f"of type {hint.__name__}"
