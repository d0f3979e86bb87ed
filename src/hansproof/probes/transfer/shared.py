"""Items that stand in two places: the same texts and the same choices."""

from __future__ import annotations

from ...text import normalised
from ...types import Item, Items


def shared(learnt: Items, items: Items) -> tuple[str, ...]:
    """Ids of the items that stand among those learnt.

    Case, punctuation, the names of fields and the order of choices do not count.
    """
    known = {_texts(item) for item in learnt}
    return tuple(item.id for item in items if _texts(item) in known)


def _texts(item: Item) -> tuple[tuple[str, ...], tuple[str, ...]]:
    fields = tuple(sorted(map(normalised, item.fields.values())))
    return fields, tuple(sorted(map(normalised, item.choices)))
