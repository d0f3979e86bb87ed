"""Parses JSON objects that evaluation tools write."""

from __future__ import annotations

from typing import Any

from ..errors import BadInput
from ..records.location import type_name
from ..records.stdlib_json import parse_json


def load_object(text: str | bytes, file: str, line: int | None = None) -> dict[str, Any]:
    """Parse one object; errors fit in one line."""
    value = parse_json(text, file, line)
    if not isinstance(value, dict):
        raise BadInput(file, f"is {type_name(value)}, not an object", line=line)
    return value


def nested_object(record: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the object at the end of a path of keys, or an empty object."""
    value: object = record
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
