"""Labels that stand in a second file."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput
from ._lines import lines
from ._open import records
from ._record import Where, listed, suffix
from ._shapes import ANSWERS, IDS

PLAIN = ("", "lst", "txt")  # endings of files with one bare label per line


Label = tuple[Where, object]


def read(path: str, ids: Sequence[str]) -> list[Label | None]:
    """The label of every item and its place, in the order of the items."""
    return _plain(path, len(ids)) if suffix(path) in PLAIN else _by_id(path, ids)


def _plain(path: str, count: int) -> list[Label | None]:
    found: list[Label | None] = [
        (Where(path, line), text.strip()) for line, text in lines(path) if text.strip()
    ]
    if len(found) != count:
        raise BadInput(path, f"holds {len(found)} labels for {count} items")
    return found


def _by_id(path: str, ids: Sequence[str]) -> list[Label | None]:
    """An item whose id is not there has no label."""
    found: dict[str, Label] = {}
    known = set(ids)
    for line, record in records(path):
        where = Where(path, line)
        key = next((name for name in IDS if name in record), None)
        label = next((name for name in ANSWERS if name in record), None)
        if key is None or label is None:
            raise where.bad(None, f"needs an id and a label; found: {listed(record)}")
        id = where.name(record[key], key)
        if id not in known:
            raise where.bad(key, f"{id!r} is the id of no item")
        if id in found:
            raise where.bad(key, f"{id!r} stands twice")
        found[id] = where, record[label]
    return [found.get(id) for id in ids]
