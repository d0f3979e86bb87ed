"""Items as hansproof writes them: everything under its own name, so nothing has to be guessed.

{"id": "1", "fields": {"premise": "..."}, "choices": ["...", "..."], "answer": 0, ...}
"""

from __future__ import annotations

import math
from typing import Any

from ..types import Item, Scalar
from ._record import Record, Where, kind


def is_own(record: Record) -> bool:
    """Whether a record is an item as we write it."""
    return isinstance(record.get("fields"), dict) and isinstance(record.get("choices"), list)


def item(record: Record, where: Where) -> Item:
    """The item in a record."""
    fields, choices, answer = (
        _dict(record, "fields", where),
        record["choices"],
        record.get("answer"),
    )
    assert isinstance(choices, list)  # is_own
    if len(choices) < 2:
        raise where.bad("choices", f"{len(choices)} choices, at least two are needed")
    if answer is not None and (type(answer) is not int or not 0 <= answer < len(choices)):
        raise where.bad("answer", f"not an index of one of {len(choices)} choices")
    group = record.get("group")
    return Item(
        where.name(record.get("id"), "id"),
        {name: where.text(text, name) for name, text in fields.items()},
        tuple(where.text(choice, "choices") for choice in choices),
        answer,
        None if group is None else where.name(group, "group"),
        {name: _scalar(value, name, where) for name, value in _dict(record, "meta", where).items()},
    )


def record(item: Item) -> dict[str, Any]:
    """The record of an item, without what it does not have."""
    more = {"group": item.group, "meta": item.meta}
    return {
        "id": item.id,
        "fields": item.fields,
        "choices": item.choices,
        "answer": item.answer,
        **{name: value for name, value in more.items() if value},
    }


def _dict(record: Record, name: str, where: Where) -> dict[str, object]:
    value = record.get(name) or {}
    if not isinstance(value, dict):
        raise where.bad(name, f"is {kind(value)}, not an object")
    return value


def _scalar(value: object, name: str, where: Where) -> Scalar:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise where.bad(name, f"is {kind(value)}, not a plain value")
