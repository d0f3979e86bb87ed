"""An item as a row of named texts, for tools that know nothing but texts.

The columns are the fields by name, then `choice 1`, `choice 2` and so on. What is no text but part
of the question, the cause or the effect that COPA asks for, and the number of choices cannot stand
in a row: together with the names of the fields they are the shape that all items of a table share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import BadInput
from ..types import Item, Items, Scalar
from ..views import ASKS_FOR


@dataclass(frozen=True, slots=True)
class RowShape:
    """What a row does not say of its item."""

    fields: tuple[str, ...]
    choices: int
    asks_for: Scalar = None

    @classmethod
    def from_item(cls, item: Item) -> RowShape:
        """That of an item."""
        return cls(tuple(item.fields), len(item.choices), item.meta.get(ASKS_FOR))

    @property
    def columns(self) -> list[str]:
        """The names of the texts."""
        return [*self.fields, *(f"choice {i + 1}" for i in range(self.choices))]

    def to_item(self, texts: Sequence[str]) -> Item:
        """The item of a row, without an answer."""
        if len(texts) != len(self.columns):
            message = f"has {len(texts)} texts, must have {len(self.columns)}"
            raise BadInput("row", f"{message}: {', '.join(self.columns)}")
        n_fields = len(self.fields)
        meta: dict[str, Scalar] = {} if self.asks_for is None else {ASKS_FOR: self.asks_for}
        fields = dict(zip(self.fields, texts[:n_fields], strict=True))
        return Item("", fields, tuple(texts[n_fields:]), None, meta=meta)


def item_texts(item: Item) -> tuple[str, ...]:
    """The texts of an item, in the order of its columns."""
    return (*item.fields.values(), *item.choices)


def group_by_shape(items: Iterable[Item]) -> dict[RowShape, Items]:
    """Items that can share a table, in their order: COPA has two tables, ARC one for each number
    of choices."""
    groups: dict[RowShape, list[Item]] = {}
    for item in items:
        groups.setdefault(RowShape.from_item(item), []).append(item)
    return {shape: tuple(group) for shape, group in groups.items()}


def common_shape(items: Iterable[Item]) -> RowShape:
    """The shape that items have, all of them."""
    shapes = list(group_by_shape(items))
    if len(shapes) != 1:
        message = f"are of {len(shapes)} shapes: take them part by part, as by_shape gives them"
        raise BadInput("items", message if shapes else "there are none")
    return shapes[0]
