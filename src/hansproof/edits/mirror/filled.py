"""What writers sent back: read row by row, so that one spoilt row does not cost the others."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...formats._record import shown
from ...formats._spreadsheet import Row, Sheet, read
from ...text import normalised
from ...types import Cell, Item
from .tasks import Key, Task, fixed

TARGET = "must_become_right"

Gist = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Done:
    """A new text for a task, and the row it stands in."""

    task: Task
    row: Cell
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be said of a row; as the rows of the account's table, `text` and `key` aside."""

    row: Cell
    id: str
    status: str  # refused: not brought in.  read: brought in all the same
    check: str
    measured: float | None
    limit: str | None
    what: str
    text: str = ""  # what was written
    key: Key | None = None  # of the task, if it is known

    def cells(self) -> tuple[Cell, ...]:
        """A row of the table."""
        return self.row, self.id, self.status, self.check, self.measured, self.limit, self.what


@dataclass(slots=True)
class Filled:
    """All that came of some worksheets."""

    done: dict[Key, Done] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    replaced: int = 0  # rows for which a later sheet has a better one

    @property
    def refused(self) -> list[Problem]:
        """Rows that were not brought in."""
        return [problem for problem in self.problems if problem.status == "refused"]


class _Refused(Exception):
    """Why a row is not brought in."""


def filled(paths: str, todo: Sequence[Task], name: str) -> Filled:
    """What was written into one worksheet, or several: rows of a later one replace earlier ones."""
    found = Filled()
    named = [paths] if os.path.exists(paths) else paths.split(",")
    for path in filter(None, (name.strip() for name in named)):
        sheet = read(path)
        mark = f"{os.path.basename(sheet.path)} " if len(named) > 1 else ""
        own = _Reading(todo, name, mark).read(sheet)
        again = own.done.keys() & found.done.keys()
        found.replaced += len(again)
        kept = [p for p in found.problems if p.key is None or p.key not in own.done]
        # a row that was fine before stays where the later sheet spoils it: the latter is reported
        found = Filled(found.done | own.done, kept + own.problems, found.replaced)
    return found


class _Reading:
    """Reads sheets about some tasks."""

    def __init__(self, todo: Sequence[Task], name: str, mark: str) -> None:
        self.name, self.mark = name, mark
        self.tasks: dict[str, list[Task]] = defaultdict(list)
        for task in todo:
            self.tasks[task.item.id].append(task)
        self.by_texts: dict[Gist, list[str]] = defaultdict(list)
        for id, some in self.tasks.items():
            self.by_texts[_gist(fixed(some[0].item), name)].append(id)

    def read(self, sheet: Sheet) -> Filled:
        """Every row that has a new text, and what is to be said of it."""
        most = max((len(some[0].item.choices) for some in self.tasks.values()), default=0)
        choices = [f"choice_{at}" for at in range(1, most + 1)]
        sheet.require(["id", self.name, *choices, TARGET, f"new_{self.name}"])
        found = Filled()
        for row in sheet.rows:
            text = row.cells.get(f"new_{self.name}", "").strip()
            if text:
                self._take(row, text, found)
        return found

    def _take(self, row: Row, text: str, found: Filled) -> None:
        at: Cell = f"{self.mark}{row.number}" if self.mark else row.number
        id = row.cells.get("id", "").strip()
        task = self._about(row, id)
        key = task.key if task else None
        try:
            notices = self._checked(row, id)
            if key in found.done:
                raise _Refused(f"row {found.done[key].row} is the same already")
        except _Refused as why:
            refused = Problem(at, id, "refused", "row", None, None, str(why), text, key)
            found.problems.append(refused)
            return
        assert task is not None  # what is checked is about one
        found.done[task.key] = Done(task, at, text)
        found.problems += [
            Problem(at, id, "read", "spelling", None, None, what, text, key) for what in notices
        ]

    def _about(self, row: Row, id: str) -> Task | None:
        """The task that a row is about, as far as can be told even of a spoilt one."""
        some = self.tasks.get(id) or self.tasks.get(self._by_texts(row) or "", [])
        told = [task for task in some if task.is_told_by(row.cells.get(TARGET, ""))]
        return next(iter(told or (some if len(some) == 1 else [])), None)

    def _checked(self, row: Row, id: str) -> list[str]:
        """Notices about a row that is as it should be; any other is refused."""
        if row.beyond:
            raise _Refused(f"{row.beyond} cells stand beyond the last column: quotes are missing")
        if nul := row.nul():
            raise _Refused(f"{shown(nul)} holds a NUL character")
        if id not in self.tasks:
            whose = self._by_texts(row)
            hint = f": the texts are those of {shown(whose)}" if whose else ""
            raise _Refused(f"no item that lacks a partner has the id {shown(id)}{hint}")
        notices = list(_spelled_anew(row, self.tasks[id][0].item))
        cell = row.cells.get(TARGET, "")
        if not any(task.is_told_by(cell) for task in self.tasks[id]):
            wanted = " or ".join(f'"{shown(task.told())}"' for task in self.tasks[id])
            raise _Refused(f'{TARGET} was edited: "{shown(cell)}" should be {wanted}')
        return notices

    def _by_texts(self, row: Row) -> str | None:
        """The only item that has the texts of a row: spreadsheets turn ids into numbers, dates."""
        ids = self.by_texts.get(_gist(row.cells, self.name), [])
        return ids[0] if len(ids) == 1 else None


def _spelled_anew(row: Row, item: Item) -> Iterator[str]:
    """Notices of texts that differ in spelling; the row is refused if one says something else."""
    for column, text in fixed(item).items():
        cell = row.cells.get(column, text).strip()
        if cell == text.strip():
            continue
        what = column.replace("choice_", "choice ")
        said = f'"{shown(cell)}" stands in the benchmark as "{shown(text.strip())}"'
        if normalised(cell) != normalised(text) or not normalised(text):
            raise _Refused(f"{what} was edited: {said}")
        yield f"{what} is spelled anew: {said}"


def _gist(cells: dict[str, str], name: str) -> Gist:
    """The texts of a row, for finding the item they belong to."""
    choices = (text for column, text in cells.items() if column.startswith("choice_"))
    return normalised(cells.get(name, "")), frozenset(map(normalised, choices)) - {""}
