"""Reads the items that logs contain, for users who have the logs but not the benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput
from ..records.location import truncate
from ..types import Item, Items
from ._log_files import find_logs
from ._named_patterns import NamedPattern


def read_items(patterns: Sequence[str], kind: str | None = None) -> Items:
    """Read the items of all logs that match the patterns, each item once.

    Items with the same id must be the same in all logs. Only kinds that define `items(path)` can
    be read, since most logs do not contain the questions.
    """
    first_uses: dict[str, tuple[str, Item]] = {}
    for log in find_logs([NamedPattern(pattern) for pattern in patterns], kind):
        if not hasattr(log.module, "items"):
            name = log.module.__name__.rpartition(".")[2]
            raise BadInput(
                log.path, f"logs of {name} do not contain items: name the benchmark with --bench"
            )
        for item in log.module.items(log.path):
            first_path, first_item = first_uses.setdefault(item.id, (log.path, item))
            if item != first_item:
                message = (
                    f"{truncate(item.id)} has {_name_difference(item, first_item)} than in "
                    f"{first_path}: convert the logs of one benchmark at a time"
                )
                raise BadInput(log.path, message)
    return tuple(item for _, item in first_uses.values())


def _name_difference(item: Item, other: Item) -> str:
    if item.fields != other.fields:
        return "another question"
    if item.choices != other.choices:
        return "other choices"
    return "another answer"
