"""What the rules of a benchmark pick after rewriting, and which rewritten items they still fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...rules.climb import Climb, climb_ladder, default_permutations
from ...rules.features import Ints, Mask
from ...types import Item
from .._filled_sheets import RowProblem, SheetResult
from .._worksheets import ChoiceTask
from .diagnosis import Diagnosis, count_hits, find_given_away
from .plan import RewritePlan, RewriteTask


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ladder after rewriting, and what the rules from before pick there."""

    diagnosis: Diagnosis
    climb: Climb
    picks: list[Ints]  # by rule of the diagnosis
    unfit_rows: list[RowProblem]  # rewritten, but rules still give the item away
    open_tasks: list[RewriteTask]

    def count_hits(self, rule: int) -> tuple[int, int]:
        """Return in how many items a rule's pick is right now, and in how many it picks at all."""
        return count_hits(self.picks[rule], self.climb.columns.layout, self.climb.answers)


def assess_rewriting(
    plan: RewritePlan,
    items: Mapping[str, Item],
    rewritten: Mapping[str, Item],
    result: SheetResult[ChoiceTask],
) -> Outcome:
    """Apply the rules to the rewritten items, and search these again."""
    diagnosis = plan.diagnosis
    new_items = tuple(rewritten.get(item_id, item) for item_id, item in items.items())
    climb = climb_ladder(
        new_items, diagnosis.tokenizer,
        permutations=default_permutations(diagnosis.level), seed=diagnosis.seed,
    )  # fmt: skip
    picks = [rule.pick(climb.columns) for rule in diagnosis.rules]
    after = [
        find_given_away(rule, rule_picks, climb.columns.layout, climb.answers)
        for rule, rule_picks in zip(diagnosis.rules, picks, strict=True)
    ]
    still_fits = _find_still_fitting(plan, after, rewritten)
    unfit_rows = [
        RowProblem(
            written.row, key[0], "read", "rule", None, None,
            f"still fits the rule: {still_fits[key[0]]}", written.text, key,
        )
        for key, written in result.written.items()
        if key[0] in still_fits
    ]  # fmt: skip
    is_given_away = np.any(after, axis=0) if after else np.zeros(len(items), np.bool_)
    # where no rule is left, the rest of an item's rows can stay open
    finished_ids = {
        item.id
        for item, is_out in zip(new_items, is_given_away, strict=True)
        if item.id in rewritten and not is_out
    }
    open_tasks = [
        task
        for task in plan.tasks
        if task.key not in result.written and task.item.id not in finished_ids
    ]
    return Outcome(diagnosis, climb, picks, unfit_rows, open_tasks)


def _find_still_fitting(
    plan: RewritePlan, after: list[Mask], rewritten: Mapping[str, Item]
) -> dict[str, str]:
    """Return the rewritten items that rules give away against the plan, with these rules."""
    rules = plan.diagnosis.rules
    described: dict[str, list[str]] = {}
    for rule, now, planned in zip(rules, after, plan.given_away, strict=True):
        for i in np.flatnonzero(now & ~planned).tolist():
            item_id = plan.diagnosis.items[i].id
            if item_id in rewritten:
                described.setdefault(item_id, []).append(rule.describe())
    return {item_id: "; ".join(texts) for item_id, texts in described.items()}
