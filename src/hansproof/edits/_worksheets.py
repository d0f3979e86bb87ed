"""Worksheets with a row for a choice of an item: what people see there, and must not change."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ..errors import BadInput
from ..text.ngrams import normalise_text
from ..types import Item

TaskKey = tuple[str, int]  # id of the item, and the choice that the row is about
Cells = dict[str, str]

CHOICE_COLUMN = re.compile(r"choice_\d+")


@dataclass(frozen=True, slots=True)
class ChoiceTask:
    """Something to write about a choice of an item: one row of a worksheet."""

    item: Item
    choice: int

    @property
    def key(self) -> TaskKey:
        """Return the key of this task."""
        return self.item.id, self.choice

    def label(self) -> str:
        """Return the number of the choice, from 1, and its text."""
        return choice_label(self.item, self.choice)

    def is_named_by(self, cell: str) -> bool:
        """Whether a cell names the choice, by its label or only by its number."""
        number = self.choice + 1
        short_labels = (f"{number}", f"choice {number}", f"choice_{number}")
        return normalise_text(cell) in (*short_labels, normalise_text(self.label()))


def choice_label(item: Item, choice: int) -> str:
    """Return the number of a choice, from 1, and its text."""
    return f"choice {choice + 1}: {item.choices[choice].strip()}"


def right_label(item: Item) -> str:
    """Return the label of the right choice of a labelled item."""
    assert item.answer is not None
    return choice_label(item, item.answer)


def fixed_texts(item: Item) -> Cells:
    """Return by column the texts that a writer sees and must not change."""
    choices = {f"choice_{number}": text for number, text in enumerate(item.choices, 1)}
    return item.fields | choices


def item_cells(items: Sequence[Item], reserved: Collection[str]) -> list[Cells]:
    """Return for each row its item's id, notes, fields and choices.

    `reserved` are the names of the other columns.
    """
    notes = list(dict.fromkeys(name for item in items for name in _item_notes(item)))
    max_choices = max((len(item.choices) for item in items), default=0)
    fields = dict.fromkeys(name for item in items for name in item.fields)
    text_columns = [*fields, *(f"choice_{number}" for number in range(1, max_choices + 1))]
    for name in fields:
        if name in reserved or CHOICE_COLUMN.fullmatch(name):
            raise BadInput(
                "worksheet", "is reserved for a column of worksheets: rename the field", field=name
            )
    note_columns = [name for name in notes if name not in {*reserved, *text_columns}]
    rows = []
    for item in items:
        texts, item_notes = fixed_texts(item), _item_notes(item)
        row = {"id": item.id} | {name: item_notes.get(name, "") for name in note_columns}
        rows.append(row | {name: texts.get(name, "") for name in text_columns})
    return rows


def _item_notes(item: Item) -> Cells:
    """Return the textual meta of an item, such as what it asks for."""
    return {name: value for name, value in item.meta.items() if isinstance(value, str)}
