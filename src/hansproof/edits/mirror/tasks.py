"""The tasks of writers: for each wrong choice of an item, a text that makes it right."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...types import Item
from .._worksheets import Cells, ChoiceTask, TaskKey, item_cells, right_label
from .guidelines import GUIDELINES

# columns of every worksheet
SHEET_COLUMNS = ("id", "right_now", "must_become_right", "problem", "guidelines")


@dataclass(frozen=True, slots=True)
class MirrorTask(ChoiceTask):
    """A choice that must become right: one row of the worksheet."""

    number: int | None  # among the tasks of the item, from 1; None if there is only one

    @property
    def target_text(self) -> str:
        """Return the choice that must become right."""
        return self.item.choices[self.choice].strip()

    def partner_id(self, suffix: str) -> str:
        """Return the id of the mirrored item."""
        return self.item.id + suffix + (f"-{self.number}" if self.number else "")

    def mirrored_item(self, field: str, text: str, suffix: str) -> Item:
        """Return the mirrored item: the new text in `field`, the target choice right."""
        return replace(
            self.item,
            id=self.partner_id(suffix),
            fields={**self.item.fields, field: text},
            answer=self.choice,
            meta={**self.item.meta, "mirrored_from": self.item.id, "edit": "mirror"},
        )


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


def worksheet_rows(
    todo: Sequence[MirrorTask], field: str, problems: Mapping[TaskKey, tuple[str, str]] | None
) -> list[Cells]:
    """Return a row per task; `problems` adds the text written before and what is wrong with it."""
    rows = item_cells([task.item for task in todo], {*SHEET_COLUMNS, f"new_{field}"})
    for index, (task, row) in enumerate(zip(todo, rows, strict=True)):
        written, problem = (problems or {}).get(task.key, ("", ""))
        row |= {"right_now": right_label(task.item), "must_become_right": task.label()}
        row |= {f"new_{field}": written}
        row |= {"problem": problem} if problems is not None else {}
        row |= {"guidelines": _guideline_text(index, len(todo))}
    return rows


def _guideline_text(index: int, n_rows: int) -> str:
    """Return one guideline per row from the top; the last row has all that are left."""
    return "\n".join(GUIDELINES[index:] if index == n_rows - 1 else GUIDELINES[index : index + 1])
