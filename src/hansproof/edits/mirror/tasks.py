"""The tasks of writers: for each wrong choice of an item, a text that makes it right."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...errors import BadInput
from ...text.ngrams import normalise_text
from ...types import Item
from .guidelines import GUIDELINES

TaskKey = tuple[str, int]  # id of the item, the choice that must become right
Cells = dict[str, str]

# columns of every worksheet
SHEET_COLUMNS = ("id", "right_now", "must_become_right", "problem", "guidelines")
CHOICE_COLUMN = re.compile(r"choice_\d+")


@dataclass(frozen=True, slots=True)
class MirrorTask:
    """One row of the worksheet."""

    item: Item
    target: int  # the choice that must become right
    number: int | None  # among the tasks of the item, from 1; None if there is only one

    @property
    def key(self) -> TaskKey:
        """Return the key of this task."""
        return self.item.id, self.target

    @property
    def target_text(self) -> str:
        """Return the choice that must become right."""
        return self.item.choices[self.target].strip()

    def partner_id(self, suffix: str) -> str:
        """Return the id of the mirrored item."""
        return self.item.id + suffix + (f"-{self.number}" if self.number else "")

    def mirrored_item(self, field: str, text: str, suffix: str) -> Item:
        """Return the mirrored item: the new text in `field`, the target choice right."""
        return replace(
            self.item,
            id=self.partner_id(suffix),
            fields={**self.item.fields, field: text},
            answer=self.target,
            meta={**self.item.meta, "mirrored_from": self.item.id, "edit": "mirror"},
        )

    def target_label(self) -> str:
        """Return the label of the choice that must become right."""
        return choice_label(self.item, self.target)

    def matches_target(self, cell: str) -> bool:
        """Whether a cell names the target choice, by its label or only by its number."""
        short_labels = (
            f"{self.target + 1}",
            f"choice {self.target + 1}",
            f"choice_{self.target + 1}",
        )
        return normalise_text(cell) in (*short_labels, normalise_text(self.target_label()))


def choice_label(item: Item, choice: int) -> str:
    """Return the number of a choice, from 1, and its text."""
    return f"choice {choice + 1}: {item.choices[choice].strip()}"


def list_missing_tasks(items: Iterable[Item]) -> list[MirrorTask]:
    """List the missing tasks, after which all choices in a group are right equally often.

    Items of a group with different choices (questions about one text) are mirrored separately.
    """
    items = list(items)
    items_by_group: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for index, item in enumerate(items):
        group: object = (index,) if item.group is None else item.group
        items_by_group[group, *sorted(choice.strip() for choice in item.choices)].append(item)
    missing_keys = {
        task.key
        for group_items in items_by_group.values()
        for task in _missing_in_group(group_items)
    }
    return [task for item in items for task in _item_tasks(item) if task.key in missing_keys]


def _missing_in_group(items: list[Item]) -> Iterator[MirrorTask]:
    """Yield tasks of items with the same choices: for each choice as many as it lacks answers."""
    right = Counter(item.choices[item.answer].strip() for item in items if item.answer is not None)
    max_right = max(right.values())
    lacking = {text.strip(): max_right - right[text.strip()] for text in items[0].choices}
    mirrored_from = {(i.meta.get("mirrored_from"), i.choices[i.answer or 0].strip()) for i in items}

    def sort_key(task: MirrorTask) -> tuple[bool, bool]:
        """Put partners last, and items that already have this partner."""
        return "mirrored_from" in task.item.meta, (task.item.id, task.target_text) in mirrored_from

    for task in sorted((task for item in items for task in _item_tasks(item)), key=sort_key):
        if lacking[task.target_text] > 0:
            lacking[task.target_text] -= 1
            yield task


def _item_tasks(item: Item) -> Iterator[MirrorTask]:
    wrong = [choice for choice in range(len(item.choices)) if choice != item.answer]
    for number, right in enumerate(wrong, 1):
        yield MirrorTask(item, right, number if len(wrong) > 1 else None)


def fixed_texts(item: Item) -> Cells:
    """Return by column the texts that a writer sees and must not change."""
    choices = {f"choice_{number}": text for number, text in enumerate(item.choices, 1)}
    return item.fields | choices


def worksheet_rows(
    todo: Sequence[MirrorTask], field: str, problems: Mapping[TaskKey, tuple[str, str]] | None
) -> list[Cells]:
    """Return a row per task; `problems` adds the text written before and what is wrong with it."""
    notes = list(dict.fromkeys(name for task in todo for name in _item_notes(task.item)))
    max_choices = max((len(task.item.choices) for task in todo), default=0)
    fields = dict.fromkeys(name for task in todo for name in task.item.fields)
    text_columns = [*fields, *(f"choice_{number}" for number in range(1, max_choices + 1))]
    reserved = {*SHEET_COLUMNS, f"new_{field}"}
    for name in fields:
        if name in reserved or CHOICE_COLUMN.fullmatch(name):
            raise BadInput(
                "worksheet", "is reserved for a column of worksheets: rename the field", field=name
            )
    rows = []
    for index, task in enumerate(todo):
        item, texts = task.item, fixed_texts(task.item)
        assert item.answer is not None  # only labelled items have a wrong choice
        written, problem = (problems or {}).get(task.key, ("", ""))
        row = {"id": item.id}
        row |= {
            name: _item_notes(item).get(name, "")
            for name in notes
            if name not in {*reserved, *text_columns}
        }
        row |= {name: texts.get(name, "") for name in text_columns}
        row |= {
            "right_now": choice_label(item, item.answer),
            "must_become_right": task.target_label(),
        }
        row |= {f"new_{field}": written}
        row |= {"problem": problem} if problems is not None else {}
        rows.append(row | {"guidelines": _guideline_text(index, len(todo))})
    return rows


def _item_notes(item: Item) -> Cells:
    """Return the textual meta of an item, such as what it asks for."""
    return {name: value for name, value in item.meta.items() if isinstance(value, str)}


def _guideline_text(index: int, n_rows: int) -> str:
    """Return one guideline per row from the top; the last row has all that are left."""
    return "\n".join(GUIDELINES[index:] if index == n_rows - 1 else GUIDELINES[index : index + 1])
