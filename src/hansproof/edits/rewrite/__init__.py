"""Rewrites choices that give answers away by their length, typography or words.

`hansproof worksheet rewrite` writes the worksheet: which choices to change so that the rules that
`run shortcuts` finds, such as *the longest choice*, are right as often as by chance; lengths come
with the number of characters to aim at. People do the writing; questions, answers and the order of
choices stay.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import ClassVar

from ..._infra.validation import check_range
from ...errors import BadInput
from ...text.detect_script import choose_tokenizer
from ...types import Benchmark, EditResult, Item
from .._filled_sheets import SheetResult, merge_sheets, read_each_sheet
from .._partners import index_by_id
from .._parts import replace_splits, select_labelled
from .._worksheets import ChoiceTask
from .diagnosis import diagnose_items
from .outcome import assess_rewriting
from .plan import RewritePlan, plan_rewriting
from .report import build_report
from .rewriting import refuse_bad_texts, rewrite_items
from .sheet import TEXT_COLUMN, list_choices, sheet_form, worksheet_rows

NO_RULE = "no rule was found, so no choice has to be rewritten"
NO_CHANGE = (
    "no worksheet is of help: the choices that rules are about are too short to be changed, or "
    "belong to mirrored items"
)
ONLY_PLACES = "the rules are only about places in the list; `hansproof edit permute` evens them out"


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Replaces choices by the texts of a filled worksheet."""

    needs: ClassVar[tuple[str, ...]] = ()

    sheet: str | None = None  # filled worksheet (CSV, TSV, JSONL); `a,b`: b corrects a
    split: str | None = None  # a split, a+b, or pooled; default: every labelled split
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    level: float = 0.05  # level at which a rule is significant
    seed: int = 0  # random seed of the search for rules

    def __post_init__(self) -> None:
        check_range("level", self.level, 1e-4, 1)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> EditResult:
        if self.sheet is None:
            hint = "make one with `hansproof worksheet rewrite BENCH -o sheet.csv`, and fill it in"
            raise BadInput("--sheet", f"this edit needs a filled worksheet: {hint}")
        parts = select_labelled(benchmark, self.split)
        items = index_by_id(parts)
        result = self._read_sheets(items)
        if not (result.written or result.problems):
            raise BadInput(self.sheet, f"no row has a {TEXT_COLUMN} yet")
        rewritten = rewrite_items(items.values(), result.written)
        new_parts = {
            split: tuple(rewritten.get(item.id, item) for item in split_items)
            for split, split_items in parts.items()
        }
        outcome = assess_rewriting(self._plan(items), items, rewritten, result)
        report = build_report(rewritten.keys(), result, outcome, self.level)
        return EditResult(replace_splits(benchmark, new_parts), report)

    def worksheet(self, benchmark: Benchmark) -> list[dict[str, str]]:
        """Return a row for each choice to rewrite, the most urgent items first.

        With `sheet`, the rows that are still to write or to correct.
        """
        items = index_by_id(select_labelled(benchmark, self.split))
        plan = self._plan(items)
        if self.sheet is None:
            _check_plan(plan)
            return worksheet_rows(plan.tasks, None)
        result = self._read_sheets(items)
        rewritten = rewrite_items(items.values(), result.written)
        outcome = assess_rewriting(plan, items, rewritten, result)
        rows = [*result.refused_rows, *outcome.unfit_rows]
        remarks = {row.key: (row.text, row.message) for row in rows if row.key is not None}
        # missing texts come before texts to be checked again
        open_tasks = [task for task in outcome.open_tasks if task.key not in remarks]
        return worksheet_rows([*open_tasks, *map(plan.find_task, remarks)], remarks)

    def _read_sheets(self, items: dict[str, Item]) -> SheetResult[ChoiceTask]:
        assert self.sheet is not None
        choices, form = list_choices(items.values()), sheet_form(items.values())
        result: SheetResult[ChoiceTask] = SheetResult()
        # a row is checked before it replaces one of an earlier sheet, which stays if it is refused
        for sheet in read_each_sheet(self.sheet, choices, form):
            result = merge_sheets(result, refuse_bad_texts(sheet, result.written))
        return result

    def _plan(self, items: dict[str, Item]) -> RewritePlan:
        labelled = tuple(items.values())
        tokens = choose_tokenizer(self.tokenizer, labelled)
        return plan_rewriting(diagnose_items(labelled, tokens, self.level, self.seed))


def _check_plan(plan: RewritePlan) -> None:
    """Raise BadInput if there are rules, but no choice that could be rewritten against them."""
    diagnosis = plan.diagnosis
    if not (diagnosis.rules or diagnosis.place_rules):
        warnings.warn(NO_RULE, stacklevel=2)
    elif not plan.tasks:
        raise BadInput("rewrite", NO_CHANGE if diagnosis.rules else ONLY_PLACES)
