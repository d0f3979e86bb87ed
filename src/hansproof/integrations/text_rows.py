"""Items as rows of named texts, for tools that handle only texts.

The columns are the fields by name, then `choice 1`, `choice 2` and so on. All items of a table
share a shape: the names of their fields, their number of choices, and what COPA's question asks for
(cause or effect), which a row of texts cannot contain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import BadInput
from ..types import Item, Items, Scalar
from ..views import ASKS_FOR


@dataclass(frozen=True, slots=True)
class RowShape:
    """The properties of an item that its row of texts does not contain."""

    fields: tuple[str, ...]
    choices: int
    asks_for: Scalar = None

    @classmethod
    def from_item(cls, item: Item) -> RowShape:
        """Return the shape of an item."""
        return cls(tuple(item.fields), len(item.choices), item.meta.get(ASKS_FOR))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [*self.fields, *(f"choice {i + 1}" for i in range(self.choices))]

    def to_item(self, texts: Sequence[str]) -> Item:
        """Build an item, without an answer, from a row."""
        if len(texts) != len(self.columns):
            message = f"has {len(texts)} texts, must have {len(self.columns)}"
            raise BadInput("row", f"{message}: {', '.join(self.columns)}")
        n_fields = len(self.fields)
        meta: dict[str, Scalar] = {} if self.asks_for is None else {ASKS_FOR: self.asks_for}
        fields = dict(zip(self.fields, texts[:n_fields], strict=True))
        return Item("", fields, tuple(texts[n_fields:]), None, meta=meta)


def item_texts(item: Item) -> tuple[str, ...]:
    """Return the texts of an item, in the order of the columns."""
    return (*item.fields.values(), *item.choices)


def group_by_shape(items: Iterable[Item]) -> dict[RowShape, Items]:
    """Group items by shape, in order: COPA has two groups, ARC one per number of choices."""
    groups: dict[RowShape, list[Item]] = {}
    for item in items:
        groups.setdefault(RowShape.from_item(item), []).append(item)
    return {shape: tuple(group) for shape, group in groups.items()}


def common_shape(items: Iterable[Item]) -> RowShape:
    """Return the shape of all items; raise BadInput if they have several."""
    shapes = list(group_by_shape(items))
    if len(shapes) != 1:
        message = f"have {len(shapes)} different shapes: pass one group of group_by_shape at a time"
        raise BadInput("items", message if shapes else "there are none")
    return shapes[0]
