"""Adds partners in which another choice is right, with new texts that people write on a worksheet.

Kavumba et al. 2019: where every choice is right once and wrong once, no choice gives itself away.
`hansproof worksheet mirror` writes the worksheet; filled worksheets are checked for cells that
should not have been changed, and against those guidelines for writers that can be measured.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..._infra.plural import plural
from ...cues.mirror_order import MirrorOrder
from ...errors import BadInput
from ...rules.rule_cues import order_by_rules
from ...text.detect_script import choose_tokenizer
from ...text.tokenizers import AUTO
from ...types import Benchmark, Cell, EditReport, EditResult, Item, Table
from .._filled_sheets import ROW_COLUMNS, RowProblem, SheetForm, SheetResult, read_sheets
from .._partners import add_partners, index_by_id, rewritten_field
from .._parts import select_labelled
from .._worksheets import TaskKey
from .guidelines import CHECKS, GuidelineResult, TextIndex, check_text
from .tasks import MirrorTask, list_missing_tasks, worksheet_rows

SUMMARY_COLUMNS = (
    "check", "what is measured", "texts", "median", "5th percentile", "95th percentile", "limit",
    "flagged",
)  # fmt: skip
NO_RULE = (
    "no rule was found, so the rows are in the order of the file; `--first priority` orders them "
    "by words and phrases"
)


@dataclass(frozen=True, slots=True)
class Mirror:
    """Adds an item for each new text, right after its original: same choices, another one right."""

    needs: ClassVar[tuple[str, ...]] = ()

    sheet: str | None = None  # filled worksheet (CSV, TSV, JSONL); `a,b`: b corrects a
    split: str | None = None  # the split to mirror; default: every split that has answers
    rewrite: str | None = None  # the field to rewrite; default: the only one
    suffix: str = "-mirrored"  # suffix of the ids of partners
    first: Literal["priority", "rules", "file"] = "priority"  # order of worksheet rows

    def __call__(self, benchmark: Benchmark) -> EditResult:
        parts = select_labelled(benchmark, self.split)
        items = index_by_id(parts)
        field = rewritten_field(items.values(), self.rewrite)
        if self.sheet is None:
            hint = "make one with `hansproof worksheet mirror BENCH -o sheet.csv`, and fill it in"
            raise BadInput("--sheet", f"this edit needs a filled worksheet: {hint}")
        todo = list_missing_tasks(items.values())
        sheet_result = read_sheets(self.sheet, todo, _sheet_form(field))
        if todo and not (sheet_result.written or sheet_result.problems):
            raise BadInput(self.sheet, f"no row has a new_{field} yet")
        partners: dict[str, list[Item]] = defaultdict(list)
        for task in todo:
            if task.key in sheet_result.written:
                text = sheet_result.written[task.key].text
                partners[task.item.id].append(task.mirrored_item(field, text, self.suffix))
        check_results = self._run_checks(items, sheet_result, field)
        edited = add_partners(benchmark, parts, partners)
        return EditResult(edited, _build_report(len(items), todo, sheet_result, check_results))

    def worksheet(self, benchmark: Benchmark) -> list[dict[str, str]]:
        """Return a row for each text to write; with `sheet`, those still to write or to correct.

        Items that weaken the cues most come first, or the rules (`run priority --target rules`).
        """
        items = index_by_id(select_labelled(benchmark, self.split))
        field = rewritten_field(items.values(), self.rewrite)
        todo = list_missing_tasks(items[item_id] for item_id in self._order_ids(items))
        if self.sheet is None:
            return worksheet_rows(todo, field, None)
        sheet_result = read_sheets(self.sheet, todo, _sheet_form(field))
        remarks = {
            problem.key: (problem.text, problem.message)
            for problem in sheet_result.refused_rows
            if problem.key is not None
        }
        failed = _failed_checks(self._run_checks(items, sheet_result, field))
        for key, failed_results in failed.items():
            remarks[key] = (
                sheet_result.written[key].text,
                "; ".join(result.message for result in failed_results),
            )
        open_tasks = [
            task for task in todo if task.key not in sheet_result.written or task.key in failed
        ]
        # missing texts come before texts to be checked again
        open_tasks.sort(key=lambda task: task.key in sheet_result.written)
        return worksheet_rows(open_tasks, field, remarks)

    def _order_ids(self, items: dict[str, Item]) -> list[str]:
        """Return the ids of all items, in the order of the worksheet."""
        if self.first == "file":
            return list(items)
        tokens = choose_tokenizer(AUTO, items.values())
        if self.first == "rules":
            order = order_by_rules(tuple(items.values()), tokens)
            if not order.cues.names:
                warnings.warn(NO_RULE, stacklevel=2)
            return order.item_ids()
        return MirrorOrder.from_ngrams(tuple(items.values()), tokens).item_ids()

    def _run_checks(
        self, items: dict[str, Item], sheet_result: SheetResult[MirrorTask], field: str
    ) -> dict[TaskKey, tuple[GuidelineResult, ...]]:
        """Check every new text against the guidelines."""
        old = [(item.id, item.fields[field]) for item in items.values()]
        written_by_id = {
            written_text.task.partner_id(self.suffix): written_text
            for written_text in sheet_result.written.values()
        }
        known_texts = TextIndex(
            [
                *old,
                *((item_id, written_text.text) for item_id, written_text in written_by_id.items()),
            ]
        )
        return {
            written_text.task.key: check_text(
                item_id,
                written_text.task.item.fields[field],
                written_text.text,
                written_text.task.item.choices,
                known_texts,
            )
            for item_id, written_text in written_by_id.items()
        }


def _sheet_form(field: str) -> SheetForm:
    unknown_id = "no item that lacks a partner has the id"
    return SheetForm((field,), "must_become_right", f"new_{field}", unknown_id)


def _failed_checks(
    check_results: dict[TaskKey, tuple[GuidelineResult, ...]],
) -> dict[TaskKey, list[GuidelineResult]]:
    """Return the failed checks of each text that has any."""
    failed = {
        key: [result for result in results if result.check.flags_value(result.value)]
        for key, results in check_results.items()
    }
    return {key: results for key, results in failed.items() if results}


def _build_report(
    n_items: int,
    todo: list[MirrorTask],
    sheet_result: SheetResult[MirrorTask],
    check_results: dict[TaskKey, tuple[GuidelineResult, ...]],
) -> EditReport:
    missing = [task for task in todo if task.key not in sheet_result.written]
    failed = _failed_checks(check_results)
    n_written, n_refused = len(sheet_result.written), len(sheet_result.refused_rows)
    notes = [f"rows: {n_written} accepted, {n_refused} refused; {len(missing)} still to write"]
    if missing:
        notes.append("items without all their partners keep the cues in their choices")
    if sheet_result.n_replaced:
        notes.append(f"rows replaced by a later sheet: {sheet_result.n_replaced}")
    if failed:
        notes.append(
            f"texts accepted but flagged by the guideline checks: {len(failed)}; read them again "
            "(only people can judge whether a text makes its choice right)"
        )
    problems = _list_problems(sheet_result, failed)
    return EditReport(
        f"Added {plural(n_written, 'mirrored item')} to {plural(n_items, 'item')}; still to "
        f"write: {len(missing)}, rows refused: {n_refused}.",
        tables=(
            {"rows": Table(ROW_COLUMNS, tuple(problem.table_row() for problem in problems))}
            if problems
            else {}
        )
        | ({"guidelines": _summary_table(list(check_results.values()))} if check_results else {}),
        evidence=_build_evidence(missing, problems),
        notes=tuple(notes),
    )


def _list_problems(
    sheet_result: SheetResult[MirrorTask], failed: dict[TaskKey, list[GuidelineResult]]
) -> list[RowProblem]:
    """List all problems of rows, refused rows first."""
    guideline_problems = [
        RowProblem(
            sheet_result.written[key].row,
            key[0],
            "read",
            result.check.name,
            result.value,
            result.check.limit_text,
            result.message,
        )
        for key, results in failed.items()
        for result in results
    ]
    spelling_problems = [problem for problem in sheet_result.problems if problem.status == "read"]
    return [*sheet_result.refused_rows, *spelling_problems, *guideline_problems]


def _build_evidence(
    missing: list[MirrorTask], problems: list[RowProblem]
) -> dict[str, tuple[str, ...]]:
    ids_by_kind: dict[str, dict[str, None]] = defaultdict(dict)
    for task in missing:
        ids_by_kind["to do"][task.item.id] = None
    for problem in problems:
        ids_by_kind["refused" if problem.status == "refused" else problem.check][problem.id] = None
    return {name: tuple(item_ids) for name, item_ids in ids_by_kind.items()}


def _summary_table(check_results: list[tuple[GuidelineResult, ...]]) -> Table:
    """Summarize the values of each check, and count those out of range."""
    rows: list[tuple[Cell, ...]] = []
    for index, check in enumerate(CHECKS):
        values = [results[index].value for results in check_results]
        spread = [round(float(value), 3) for value in np.percentile(values, (50, 5, 95))]
        n_flagged = sum(check.flags_value(value) for value in values)
        rows.append(
            (check.name, check.description, len(values), *spread, check.limit_text, n_flagged)
        )
    return Table(SUMMARY_COLUMNS, tuple(rows))
