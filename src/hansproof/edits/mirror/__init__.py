"""Adds partners in which another choice is right, from new texts that people wrote on a worksheet.

Kavumba et al. 2019. Where every choice is right once and wrong once, no choice is telling by
itself. `hansproof worksheet mirror` writes the worksheet; what is on it is checked when it comes
back: what was changed that should not be, and what can be counted of the guidelines for writers.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ...cues.first import Mirroring
from ...errors import BadInput
from ...text import tokenizer
from ...types import Account, Benchmark, Cell, Edited, Item, Table
from .._pairs import by_id, field_of, paired
from .._parts import chosen
from .filled import Filled, Problem, filled
from .guidelines import CHECKS, Measured, Texts, measure
from .tasks import Key, Task, tasks, worksheet

ROWS = ("row", "id", "status", "check", "measured", "limit", "what")
SUMMARY = ("check", "what is measured", "texts", "median", "5th percentile", "95th percentile",
           "limit", "flagged")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mirror:
    """For each new text an item right after its original: same choices, another one right."""

    needs: ClassVar[tuple[str, ...]] = ()

    sheet: str | None = None  # filled worksheet (CSV, TSV, JSONL); `a,b`: b mends a
    split: str | None = None  # the part to mirror; without it every split that has answers
    rewrite: str | None = None  # the field that is rewritten; without it the only one
    suffix: str = "-mirrored"  # what the ids of partners end in
    first: Literal["priority", "file"] = "priority"  # rows of a worksheet: the most urgent first

    def __call__(self, benchmark: Benchmark) -> Edited:
        parts = chosen(benchmark, self.split)
        items = by_id(parts)
        field = field_of(items.values(), self.rewrite)
        if self.sheet is None:
            how = "get one with `hansproof worksheet mirror BENCH -o sheet.csv`, and fill it in"
            raise BadInput("--sheet", f"a filled worksheet is needed: {how}")
        todo = tasks(items.values())
        found = filled(self.sheet, todo, field)
        partners: dict[str, list[Item]] = defaultdict(list)
        for task in todo:
            if task.key in found.done:
                text = found.done[task.key].text
                partners[task.item.id].append(task.done(field, text, self.suffix))
        measured = self._measured(items, found, field)
        edited = paired(benchmark, parts, partners)
        return Edited(edited, _account(len(items), todo, found, measured))

    def worksheet(self, benchmark: Benchmark) -> list[dict[str, str]]:
        """A row for each text to be written; with `sheet`, what is left to do or to mend.

        Items that would take most from the strength of the cues come first (`run priority`).
        """
        items = by_id(chosen(benchmark, self.split))
        field = field_of(items.values(), self.rewrite)
        ids = list(items)
        if self.first == "priority":
            ids = Mirroring.of(tuple(items.values()), tokenizer("word")).ids()
        todo = tasks(items[id] for id in ids)
        if self.sheet is None:
            return worksheet(todo, field, None)
        found = filled(self.sheet, todo, field)
        said = {p.key: (p.text, p.what) for p in found.refused if p.key is not None}
        flagged = _flagged(self._measured(items, found, field))
        for key, checks in flagged.items():
            said[key] = (found.done[key].text, "; ".join(one.what for one in checks))
        left = [task for task in todo if task.key not in found.done or task.key in flagged]
        # what must be done before what should be looked at again
        left.sort(key=lambda task: task.key in found.done)
        return worksheet(left, field, said)

    def _measured(
        self, items: dict[str, Item], found: Filled, field: str
    ) -> dict[Key, tuple[Measured, ...]]:
        """All checks of every new text."""
        old = [(item.id, item.fields[field]) for item in items.values()]
        done = {one.task.partner_id(self.suffix): one for one in found.done.values()}
        others = Texts([*old, *((id, one.text) for id, one in done.items())])
        return {
            one.task.key: measure(
                id, one.task.item.fields[field], one.text, one.task.item.choices, others
            )
            for id, one in done.items()
        }


def _flagged(measured: dict[Key, tuple[Measured, ...]]) -> dict[Key, list[Measured]]:
    """The checks that a text does not pass, where there are any."""
    wrong = {key: [m for m in some if m.check.flags(m.value)] for key, some in measured.items()}
    return {key: some for key, some in wrong.items() if some}


def _account(
    items: int, todo: list[Task], found: Filled, measured: dict[Key, tuple[Measured, ...]]
) -> Account:
    missing = [task for task in todo if task.key not in found.done]
    flagged = _flagged(measured)
    notes = [f"rows: {len(found.done)} read, {len(found.refused)} refused; {len(missing)} to do"]
    if missing:
        notes.append("items without all their partners keep what is telling in their choices")
    if found.replaced:
        notes.append(f"{found.replaced} rows were replaced by those of a later sheet")
    if flagged:
        notes.append(
            f"{len(flagged)} texts are flagged by the guidelines' counts, and brought in: look at"
            " them again; whether a text makes its choice right only people can say"
        )
    listed = _problems(found, flagged)
    return Account(
        f"{len(found.done)} mirrored items were added to {items}; {len(missing)} are still to be"
        f" written, {len(found.refused)} rows were refused.",
        tables=({"rows": Table(ROWS, tuple(one.cells() for one in listed))} if listed else {})
        | ({"guidelines": _summary(list(measured.values()))} if measured else {}),
        evidence=_evidence(missing, listed),
        notes=tuple(notes),
    )


def _problems(found: Filled, flagged: dict[Key, list[Measured]]) -> list[Problem]:
    """All there is to say of rows, refused ones first."""
    counted = [
        Problem(found.done[key].row, key[0], "read", m.check.name, m.value, m.check.limit, m.what)
        for key, some in flagged.items()
        for m in some
    ]
    spelled = [problem for problem in found.problems if problem.status == "read"]
    return [*found.refused, *spelled, *counted]


def _evidence(missing: list[Task], problems: list[Problem]) -> dict[str, tuple[str, ...]]:
    ids: dict[str, dict[str, None]] = defaultdict(dict)
    for task in missing:
        ids["to do"][task.item.id] = None
    for problem in problems:
        ids["refused" if problem.status == "refused" else problem.check][problem.id] = None
    return {name: tuple(some) for name, some in ids.items()}


def _summary(measured: list[tuple[Measured, ...]]) -> Table:
    """How each check's numbers are spread, and how many are out of range."""
    rows: list[tuple[Cell, ...]] = []
    for at, check in enumerate(CHECKS):
        values = [some[at].value for some in measured]
        spread = [round(float(value), 3) for value in np.percentile(values, (50, 5, 95))]
        flags = sum(check.flags(value) for value in values)
        rows.append((check.name, check.about, len(values), *spread, check.limit, flags))
    return Table(SUMMARY, tuple(rows))
