"""What is to be written: for every wrong choice of an item a premise that makes it right."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...errors import BadInput
from ...text import normalised
from ...types import Item
from .guidelines import GUIDELINES

Key = tuple[str, int]  # id of the item, the choice that must become right
Cells = dict[str, str]

# columns of every worksheet
OWN = ("id", "right_now", "must_become_right", "problem", "guidelines")
CHOICE = re.compile(r"choice_\d+")


@dataclass(frozen=True, slots=True)
class Task:
    """One row of the worksheet."""

    item: Item
    right: int  # the choice that must become right
    number: int | None  # among the tasks of an item, from 1; None where there is but one

    @property
    def key(self) -> Key:
        """What tells this task from all others."""
        return self.item.id, self.right

    @property
    def text(self) -> str:
        """The choice that must become right."""
        return self.item.choices[self.right].strip()

    def partner_id(self, suffix: str) -> str:
        """The id of the item that this task makes."""
        return self.item.id + suffix + (f"-{self.number}" if self.number else "")

    def done(self, field: str, text: str, suffix: str) -> Item:
        """The partner: a new text in the field, another choice right, all else as it was."""
        return replace(
            self.item,
            id=self.partner_id(suffix),
            fields={**self.item.fields, field: text},
            answer=self.right,
            meta={**self.item.meta, "mirrored_from": self.item.id, "edit": "mirror"},
        )

    def told(self) -> str:
        """Which choice must become right, for people."""
        return in_words(self.item, self.right)

    def is_told_by(self, cell: str) -> bool:
        """Whether a cell means this task: as it was written, or only the number of the choice."""
        short = (f"{self.right + 1}", f"choice {self.right + 1}", f"choice_{self.right + 1}")
        return normalised(cell) in (*short, normalised(self.told()))


def in_words(item: Item, choice: int) -> str:
    """A choice by its number, from 1, and its text."""
    return f"choice {choice + 1}: {item.choices[choice].strip()}"


def tasks(items: Iterable[Item]) -> list[Task]:
    """All there is to do, so that in every group each choice is right as often as any other.

    Items of a group with other choices (questions about one text) are mirrored apart.
    """
    items = list(items)
    alike: dict[tuple[object, ...], list[Item]] = defaultdict(list)
    for at, item in enumerate(items):
        group: object = (at,) if item.group is None else item.group
        alike[group, *sorted(choice.strip() for choice in item.choices)].append(item)
    missing = {task.key for some in alike.values() for task in _missing(some)}
    return [task for item in items for task in _tasks(item) if task.key in missing]


def _missing(items: list[Item]) -> Iterator[Task]:
    """Tasks of items with the same choices: as many for each choice as it lacks right answers."""
    right = Counter(item.choices[item.answer].strip() for item in items if item.answer is not None)
    most = max(right.values())
    lacking = {text.strip(): most - right[text.strip()] for text in items[0].choices}
    made_from = {(i.meta.get("mirrored_from"), i.choices[i.answer or 0].strip()) for i in items}

    def needless(task: Task) -> tuple[bool, bool]:
        """Partners come last, and items that have such a partner."""
        return "mirrored_from" in task.item.meta, (task.item.id, task.text) in made_from

    for task in sorted((task for item in items for task in _tasks(item)), key=needless):
        if lacking[task.text] > 0:
            lacking[task.text] -= 1
            yield task


def _tasks(item: Item) -> Iterator[Task]:
    wrong = [choice for choice in range(len(item.choices)) if choice != item.answer]
    for number, right in enumerate(wrong, 1):
        yield Task(item, right, number if len(wrong) > 1 else None)


def fixed(item: Item) -> Cells:
    """The texts that a writer sees and must leave as they are, by column."""
    choices = {f"choice_{at}": text for at, text in enumerate(item.choices, 1)}
    return item.fields | choices


def worksheet(
    todo: Sequence[Task], field: str, problems: Mapping[Key, tuple[str, str]] | None
) -> list[Cells]:
    """A row per task; with `problems`, also what was written and what is wrong with it."""
    notes = list(dict.fromkeys(name for task in todo for name in _notes(task.item)))
    most = max((len(task.item.choices) for task in todo), default=0)
    fields = dict.fromkeys(name for task in todo for name in task.item.fields)
    shown = [*fields, *(f"choice_{at}" for at in range(1, most + 1))]
    own = {*OWN, f"new_{field}"}
    for name in fields:
        if name in own or CHOICE.fullmatch(name):
            raise BadInput("worksheet", "is a column of every worksheet: rename it", field=name)
    rows = []
    for at, task in enumerate(todo):
        item, texts = task.item, fixed(task.item)
        assert item.answer is not None  # only labelled items have a wrong choice
        written, problem = (problems or {}).get(task.key, ("", ""))
        row = {"id": item.id}
        row |= {name: _notes(item).get(name, "") for name in notes if name not in {*own, *shown}}
        row |= {name: texts.get(name, "") for name in shown}
        row |= {"right_now": in_words(item, item.answer), "must_become_right": task.told()}
        row |= {f"new_{field}": written}
        row |= {"problem": problem} if problems is not None else {}
        rows.append(row | {"guidelines": _guideline(at, len(todo))})
    return rows


def _notes(item: Item) -> Cells:
    """What else is known of an item in words, such as what it asks for."""
    return {name: value for name, value in item.meta.items() if isinstance(value, str)}


def _guideline(at: int, rows: int) -> str:
    """One a row from the top, to be read once; a short sheet has the rest in its last row."""
    return "\n".join(GUIDELINES[at:] if at == rows - 1 else GUIDELINES[at : at + 1])
