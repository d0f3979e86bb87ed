"""Reads filled worksheets row by row, so that one bad row does not spoil the others.

Each row names an item and one of its choices, and has a cell for a new text.
"""

from __future__ import annotations

import os
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ..records.location import truncate
from ..records.spreadsheet import Sheet, SheetRow, read_sheet
from ..text.ngrams import normalise_text
from ..types import Cell, Item
from ._worksheets import CHOICE_COLUMN, ChoiceTask, TaskKey, fixed_texts

RowTexts = tuple[tuple[str, ...], frozenset[str]]
Task = TypeVar("Task", bound=ChoiceTask)
ROW_COLUMNS = ("row", "id", "status", "check", "measured", "limit", "what")


@dataclass(frozen=True, slots=True)
class SheetForm:
    """The columns of a worksheet that are read, besides the id and the choices."""

    fields: tuple[str, ...]  # of items, that every row shows
    choice_column: str  # names the choice that the row is about
    text_column: str  # to be filled in
    unknown_id: str  # what to say of an id that has no task: `no item has the id`


@dataclass(frozen=True, slots=True)
class WrittenText(Generic[Task]):
    """A new text for a task, and the row that contains it."""

    task: Task
    row: Cell
    text: str


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A problem of a row; all fields but `text` and `key` are columns of the report's table."""

    row: Cell
    id: str
    status: str  # refused: not used.  read: used despite the problem
    check: str
    value: float | None
    limit: str | None
    message: str
    text: str = ""  # the new text
    key: TaskKey | None = None  # key of the task, if it is known

    def table_row(self) -> tuple[Cell, ...]:
        """Return the row of the table."""
        return self.row, self.id, self.status, self.check, self.value, self.limit, self.message


@dataclass(slots=True)
class SheetResult(Generic[Task]):
    """The texts and problems read from worksheets."""

    written: dict[TaskKey, WrittenText[Task]] = field(default_factory=dict)
    problems: list[RowProblem] = field(default_factory=list)
    n_replaced: int = 0  # rows that a later sheet replaced

    @property
    def refused_rows(self) -> list[RowProblem]:
        """Return the problems of rows that were refused."""
        return [problem for problem in self.problems if problem.status == "refused"]


class _RowRejection(Exception):
    """Raised with the reason why a row is refused."""


def read_sheets(paths: str, todo: Sequence[Task], form: SheetForm) -> SheetResult[Task]:
    """Read one worksheet, or several separated by commas; later rows replace earlier ones."""
    result: SheetResult[Task] = SheetResult()
    for sheet in read_each_sheet(paths, todo, form):
        result = merge_sheets(result, sheet)
    return result


def read_each_sheet(
    paths: str, todo: Sequence[Task], form: SheetForm
) -> Iterator[SheetResult[Task]]:
    """Read one worksheet, or several separated by commas, each by itself."""
    path_texts = [paths] if os.path.exists(paths) else paths.split(",")
    for path in filter(None, (path_text.strip() for path_text in path_texts)):
        sheet = read_sheet(path)
        row_prefix = f"{os.path.basename(sheet.path)} " if len(path_texts) > 1 else ""
        yield _SheetReader(todo, form, row_prefix).read_sheet(sheet)


def merge_sheets(earlier: SheetResult[Task], later: SheetResult[Task]) -> SheetResult[Task]:
    """Replace earlier rows by later ones for the same choice.

    A good row stays if a later sheet has a bad one for it; the bad one is reported.
    """
    n_replaced = earlier.n_replaced + len(later.written.keys() & earlier.written.keys())
    open_problems = [
        problem
        for problem in earlier.problems
        if problem.key is None or problem.key not in later.written
    ]
    return SheetResult(earlier.written | later.written, open_problems + later.problems, n_replaced)


def _is_visible(char: str) -> bool:
    """Tell whether a character is more than white space or an invisible sign."""
    return unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp", "Zs")


class _SheetReader(Generic[Task]):
    """Reads the rows of sheets for some tasks."""

    def __init__(self, todo: Sequence[Task], form: SheetForm, row_prefix: str) -> None:
        self.form, self.row_prefix = form, row_prefix
        self.tasks_by_id: dict[str, list[Task]] = defaultdict(list)
        for task in todo:
            self.tasks_by_id[task.item.id].append(task)
        self.ids_by_texts: dict[RowTexts, list[str]] = defaultdict(list)
        for item_id, item_tasks in self.tasks_by_id.items():
            texts = _row_texts(fixed_texts(item_tasks[0].item), form.fields)
            self.ids_by_texts[texts].append(item_id)

    def read_sheet(self, sheet: Sheet) -> SheetResult[Task]:
        """Read every row that has a new text, and collect its problems."""
        # a sheet with the rest of the rows has only as many choices as these need
        min_choices = min(
            (len(item_tasks[0].item.choices) for item_tasks in self.tasks_by_id.values()), default=0
        )
        choices = [f"choice_{number}" for number in range(1, min_choices + 1)]
        sheet.require_columns(
            ["id", *self.form.fields, *choices, self.form.choice_column, self.form.text_column]
        )
        result: SheetResult[Task] = SheetResult()
        for row in sheet.rows:
            text = row.cells.get(self.form.text_column, "").strip()
            if any(map(_is_visible, text)):
                self._add_row(row, text, result)
        return result

    def _add_row(self, row: SheetRow, text: str, result: SheetResult[Task]) -> None:
        row_label: Cell = f"{self.row_prefix}{row.number}" if self.row_prefix else row.number
        item_id = row.cells.get("id", "").strip()
        task = self._find_task(row, item_id)
        key = task.key if task else None
        try:
            notices = self._check_row(row, item_id)
            if key in result.written:
                raise _RowRejection(f"row {result.written[key].row} is already for the same choice")
        except _RowRejection as rejection:
            problem = RowProblem(
                row_label, item_id, "refused", "row", None, None, str(rejection), text, key
            )
            result.problems.append(problem)
            return
        assert task is not None  # a row that passes the check has a task
        result.written[task.key] = WrittenText(task, row_label, text)
        result.problems += [
            RowProblem(row_label, item_id, "read", "spelling", None, None, message, text, key)
            for message in notices
        ]

    def _find_task(self, row: SheetRow, item_id: str) -> Task | None:
        """Find the task of a row, even of a bad row if possible."""
        candidates = self.tasks_by_id.get(item_id) or self.tasks_by_id.get(
            self._find_id_by_texts(row) or "", []
        )
        cell = row.cells.get(self.form.choice_column, "")
        matching = [task for task in candidates if task.is_named_by(cell)]
        return next(iter(matching or (candidates if len(candidates) == 1 else [])), None)

    def _check_row(self, row: SheetRow, item_id: str) -> list[str]:
        """Return spelling notices about a good row; raise _RowRejection for a bad one."""
        if row.extra_cells:
            raise _RowRejection(
                f"has {row.extra_cells} cells after the last column: quotes are missing"
            )
        if nul := row.column_with_nul():
            raise _RowRejection(f"{truncate(nul)} contains a NUL character")
        if item_id not in self.tasks_by_id:
            owner_id = self._find_id_by_texts(row)
            hint = f": the texts are those of {truncate(owner_id)}" if owner_id else ""
            raise _RowRejection(f"{self.form.unknown_id} {truncate(item_id)}{hint}")
        notices = list(_spelling_notices(row, self.tasks_by_id[item_id][0].item))
        cell, item_tasks = row.cells.get(self.form.choice_column, ""), self.tasks_by_id[item_id]
        if not any(task.is_named_by(cell) for task in item_tasks):
            expected = " or ".join(f'"{truncate(task.label())}"' for task in item_tasks)
            raise _RowRejection(
                f'{self.form.choice_column} was edited: "{truncate(cell)}" should be {expected}'
            )
        return notices

    def _find_id_by_texts(self, row: SheetRow) -> str | None:
        """Find the only item with the texts of a row, for ids that a spreadsheet changed."""
        ids = self.ids_by_texts.get(_row_texts(row.cells, self.form.fields), [])
        return ids[0] if len(ids) == 1 else None


def _spelling_notices(row: SheetRow, item: Item) -> Iterator[str]:
    """Yield notices of texts that differ in spelling; raise _RowRejection for other differences."""
    for column, text in fixed_texts(item).items():
        cell = row.cells.get(column, text).strip()
        if cell == text.strip():
            continue
        column_label = column.replace("choice_", "choice ")
        difference = f'"{truncate(cell)}" is "{truncate(text.strip())}" in the benchmark'
        if normalise_text(cell) != normalise_text(text) or not normalise_text(text):
            raise _RowRejection(f"{column_label} was edited: {difference}")
        yield f"{column_label} is spelled differently: {difference}"


def _row_texts(cells: dict[str, str], fields: Sequence[str]) -> RowTexts:
    """Return the normalised texts of a row, as a key to find its item."""
    choices = (text for column, text in cells.items() if CHOICE_COLUMN.fullmatch(column))
    field_texts = tuple(normalise_text(cells.get(name, "")) for name in fields)
    return field_texts, frozenset(map(normalise_text, choices)) - {""}
