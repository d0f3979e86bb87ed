"""The worksheet: a row for each choice to rewrite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...types import Item
from .._filled_sheets import SheetForm
from .._worksheets import Cells, ChoiceTask, TaskKey, item_cells, right_label
from .plan import RewriteTask

CHOICE_COLUMN, TEXT_COLUMN = "choice_to_change", "new_choice"
SHEET_COLUMNS = (
    "id", "right_now", CHOICE_COLUMN, "rule", "advice", "target_characters", TEXT_COLUMN, "problem",
)  # fmt: skip
EVEN_OUT = "none: this row evens out lengths in the benchmark as a whole"


def sheet_form(items: Iterable[Item]) -> SheetForm:
    """Return the columns of a worksheet for some items; it need not have fields that few have."""
    first, *more = [item.fields.keys() for item in items]
    fields = tuple(name for name in first if all(name in names for names in more))
    return SheetForm(fields, CHOICE_COLUMN, TEXT_COLUMN, "no labelled item has the id")


def list_choices(items: Iterable[Item]) -> list[ChoiceTask]:
    """List all choices; a row may be about any of them, whatever was advised."""
    return [ChoiceTask(item, choice) for item in items for choice in range(len(item.choices))]


def worksheet_rows(
    tasks: Sequence[RewriteTask], problems: Mapping[TaskKey, tuple[str, str]] | None
) -> list[Cells]:
    """Return a row per task; `problems` adds the text written before and what is wrong with it."""
    rows = item_cells([task.item for task in tasks], SHEET_COLUMNS)
    for task, row in zip(tasks, rows, strict=True):
        written, problem = (problems or {}).get(task.key, ("", ""))
        row |= {
            "right_now": right_label(task.item),
            CHOICE_COLUMN: task.label(),
            "rule": "\n".join(task.rules) or EVEN_OUT,
            "advice": "\n".join(task.advice),
            "target_characters": str(task.target or ""),
            TEXT_COLUMN: written,
        }
        row |= {"problem": problem} if problems is not None else {}
    return rows
