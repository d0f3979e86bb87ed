"""Converts items from and to hansproof's own format, in which every value has a fixed name.

{"id": "1", "fields": {"premise": "..."}, "choices": ["...", "..."], "answer": 0, ...}
"""

from __future__ import annotations

import math
from typing import Any

from ..types import Item, Scalar
from .location import Location, Record, type_name


def is_native(record: Record) -> bool:
    """Check whether a record is in hansproof's own format."""
    return isinstance(record.get("fields"), dict) and isinstance(record.get("choices"), list)


def parse_item(record: Record, location: Location) -> Item:
    """Parse the item of a record."""
    fields, choices, answer = (
        _object_field(record, "fields", location),
        record["choices"],
        record.get("answer"),
    )
    assert isinstance(choices, list)  # checked by is_native
    if len(choices) < 2:
        raise location.error("choices", "has fewer than two choices")
    if answer is not None and (type(answer) is not int or not 0 <= answer < len(choices)):
        raise location.error(
            "answer",
            f"is not an index of one of the {len(choices)} choices (0 to {len(choices) - 1})",
        )
    group = record.get("group")
    return Item(
        location.require_name(record.get("id"), "id"),
        {name: location.require_text(text, name) for name, text in fields.items()},
        tuple(location.require_text(choice, "choices") for choice in choices),
        answer,
        None if group is None else location.require_name(group, "group"),
        {
            name: _check_scalar(value, name, location)
            for name, value in _object_field(record, "meta", location).items()
        },
    )


def item_to_record(item: Item) -> dict[str, Any]:
    """Convert an item to a record; an absent group or meta is omitted."""
    optional = {"group": item.group, "meta": item.meta}
    return {
        "id": item.id,
        "fields": item.fields,
        "choices": item.choices,
        "answer": item.answer,
        **{name: value for name, value in optional.items() if value},
    }


def _object_field(record: Record, name: str, location: Location) -> dict[str, object]:
    value = record.get(name) or {}
    if not isinstance(value, dict):
        raise location.error(name, f"is {type_name(value)}, not an object")
    return value


def _check_scalar(value: object, name: str, location: Location) -> Scalar:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise location.error(name, f"is {type_name(value)}, not text, a number or a boolean")
