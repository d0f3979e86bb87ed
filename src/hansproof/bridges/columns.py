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
class Shape:
    """What a row does not say of its item."""

    fields: tuple[str, ...]
    choices: int
    asks_for: Scalar = None

    @classmethod
    def of(cls, item: Item) -> Shape:
        """That of an item."""
        return cls(tuple(item.fields), len(item.choices), item.meta.get(ASKS_FOR))

    @property
    def columns(self) -> list[str]:
        """The names of the texts."""
        return [*self.fields, *(f"choice {at + 1}" for at in range(self.choices))]

    def item(self, texts: Sequence[str]) -> Item:
        """The item of a row, without an answer."""
        if len(texts) != len(self.columns):
            what = f"has {len(texts)} texts, must have {len(self.columns)}"
            raise BadInput("row", f"{what}: {', '.join(self.columns)}")
        count = len(self.fields)
        meta: dict[str, Scalar] = {} if self.asks_for is None else {ASKS_FOR: self.asks_for}
        fields = dict(zip(self.fields, texts[:count], strict=True))
        return Item("", fields, tuple(texts[count:]), None, meta=meta)


def row(item: Item) -> tuple[str, ...]:
    """The texts of an item, in the order of its columns."""
    return (*item.fields.values(), *item.choices)


def by_shape(items: Iterable[Item]) -> dict[Shape, Items]:
    """Items that can share a table, in their order: COPA has two tables, ARC one for each number
    of choices."""
    found: dict[Shape, list[Item]] = {}
    for item in items:
        found.setdefault(Shape.of(item), []).append(item)
    return {shape: tuple(some) for shape, some in found.items()}


def only_shape(items: Iterable[Item]) -> Shape:
    """The shape that items have, all of them."""
    found = list(by_shape(items))
    if len(found) != 1:
        what = f"are of {len(found)} shapes: take them part by part, as by_shape gives them"
        raise BadInput("items", what if found else "there are none")
    return found[0]
