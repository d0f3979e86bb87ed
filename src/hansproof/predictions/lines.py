"""Parses one line of a predictions file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast, get_args

from ..errors import BadInput
from ..records.location import truncate
from ..records.stdlib_json import parse_json
from ..types import NoAnswer

ModelAnswer = int | tuple[float, ...]  # the index of the choice, or a score for each
_REASONS = get_args(NoAnswer)


def parse_object(text: str, path: str, line: int) -> dict[str, Any]:
    """Parse the object of a line."""
    value = parse_json(text, path, line)
    if not isinstance(value, dict):
        raise BadInput(path, "is not an object", line=line)
    return value


def is_complete_line(text: str) -> bool:
    """Check whether the last line of a file is complete although it has no line end."""
    try:
        parse_json(text, "")
    except BadInput:
        return not text.strip()
    return True


def parse_line(
    record: Mapping[str, Any], path: str, line: int
) -> tuple[str, ModelAnswer | NoAnswer]:
    """Return the id of the item of a line, and the answer of the model or why there is none."""
    id, scores, choice = record.get("id"), record.get("scores"), record.get("choice")
    if not isinstance(id, str):
        raise BadInput(path, "is not text", line=line, field="id")
    if isinstance(scores, list) and scores and all(score is None for score in scores):
        return parse_line({"choice": None, **record, "scores": None}, path, line)
    if "no_answer" in record or (scores is None and record.get("choice", 0) in (None, -1)):
        return id, _parse_reason(record, path, line)
    if (scores is None) == (choice is None):
        raise BadInput(path, f"{truncate(id)} needs either scores or a choice", line=line)
    if scores is None:
        if type(choice) is not int:
            raise BadInput(path, f"{truncate(id)}: not an index", line=line, field="choice")
        return id, choice
    all_numbers = isinstance(scores, list) and all(
        isinstance(score, int | float) and not isinstance(score, bool) for score in scores
    )
    if not all_numbers:
        raise BadInput(path, f"{truncate(id)}: not a list of numbers", line=line, field="scores")
    try:
        return id, tuple(map(float, scores))
    except OverflowError:
        raise BadInput(path, f"{truncate(id)}: too large", line=line, field="scores") from None


def parse_fold(record: Mapping[str, Any], path: str, line: int) -> int | None:
    """Return the number of the fold that an item was scored in; None if a line has none."""
    fold = record.get("fold")
    if fold is not None and type(fold) is not int:
        message = f"is {truncate(json.dumps(fold))}, must be a whole number"
        raise BadInput(path, message, line=line, field="fold")
    return fold


def parse_text_answer(record: Mapping[str, Any], path: str, line: int) -> int | NoAnswer | None:
    """Return the choice that the text of an answer names, or why none; None if unknown."""
    value = record.get("text_answer")
    if value is None or type(value) is int:
        return value
    return check_reason(value, path, line, "text_answer")


def _parse_reason(record: Mapping[str, Any], path: str, line: int) -> NoAnswer:
    """Return why there is no answer: `unparsed` if a line has no choice and states no reason."""
    if record.get("choice") not in (None, -1) or record.get("scores") is not None:
        message = f"{truncate(record['id'])} also has an answer: remove one of the two"
        raise BadInput(path, message, line=line, field="no_answer")
    return check_reason(record.get("no_answer", "unparsed"), path, line)


def check_reason(reason: object, path: str, line: int | None, field: str = "no_answer") -> NoAnswer:
    """Return a reason why there is no answer; raise if it is not a known one."""
    if reason not in _REASONS:
        message = (
            f"{truncate(str(reason))} is not a known reason; use one of: {', '.join(_REASONS)}"
        )
        raise BadInput(path, message, line=line, field=field)
    return cast(NoAnswer, reason)
