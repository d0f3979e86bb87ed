"""One line of a file of predictions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import BadInput
from ..formats._json import loads
from ..formats._record import shown

Said = int | tuple[float, ...]  # the index of the choice, or a score for each


def object_of(text: str, path: str, line: int) -> dict[str, Any]:
    """The object in a line."""
    found = loads(text, path, line)
    if not isinstance(found, dict):
        raise BadInput(path, "not an object", line=line)
    return found


def whole(text: str) -> bool:
    """Whether the last line of a file is complete though no line end follows."""
    try:
        loads(text, "")
    except BadInput:
        return not text.strip()
    return True


def line_of(record: Mapping[str, Any], path: str, line: int) -> tuple[str, Said]:
    """The item a line is about, and what it says."""
    id, scores, choice = record.get("id"), record.get("scores"), record.get("choice")
    if not isinstance(id, str):
        raise BadInput(path, "is no text", line=line, field="id")
    if (scores is None) == (choice is None):
        raise BadInput(path, f"{shown(id)} needs either scores or a choice", line=line)
    if scores is None:
        if type(choice) is not int:
            raise BadInput(path, f"{shown(id)}: not an index", line=line, field="choice")
        return id, choice
    numbers = isinstance(scores, list) and all(
        isinstance(score, int | float) and not isinstance(score, bool) for score in scores
    )
    if not numbers:
        raise BadInput(path, f"{shown(id)}: not a list of numbers", line=line, field="scores")
    try:
        return id, tuple(map(float, scores))
    except OverflowError:
        raise BadInput(path, f"{shown(id)}: too large", line=line, field="scores") from None
