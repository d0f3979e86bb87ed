"""JSON as evaluation tools write it: with NaN and Infinity, which the standard does not know."""

from __future__ import annotations

import json
from typing import Any

from ..errors import BadInput
from ..formats._record import kind


def loads(text: str | bytes, file: str, line: int | None = None) -> Any:
    """The value, or an error in one line."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else error
        raise BadInput(file, f"broken JSON: {what}", line=line) from None


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
