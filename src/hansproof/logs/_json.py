"""Objects in the JSON that evaluation tools write."""

from __future__ import annotations

from typing import Any

from ..errors import BadInput
from ..formats._json import loads
from ..formats._record import kind


def load(text: str | bytes, file: str, line: int | None = None) -> dict[str, Any]:
    """One object, or an error in one line."""
    found = loads(text, file, line)
    if not isinstance(found, dict):
        raise BadInput(file, f"is {kind(found)}, not an object", line=line)
    return found


def inner(record: dict[str, Any], *names: str) -> dict[str, Any]:
    """The object at the end of a path; empty where something else is."""
    found: object = record
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}
