"""The plan: tasks by choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hansproof.edits.rewrite.diagnosis import Diagnosis, diagnose_items
from hansproof.edits.rewrite.plan import RewritePlan, RewriteTask, plan_rewriting
from hansproof.text.tokenizers import get_tokenizer

from ...support.quiz_factories import uneven_quiz


@pytest.fixture(scope="module")
def diagnosis() -> Diagnosis:
    return diagnose_items(uneven_quiz(1, 120), get_tokenizer("word"), 0.05, 0)


def test_tasks_are_found_by_choice_also_where_there_is_none(diagnosis: Diagnosis) -> None:
    plan = plan_rewriting(diagnosis)
    assert all(plan.find_task(task.key) is task for task in plan.tasks)
    keys = {task.key for task in plan.tasks}
    item, choice = next(
        (item, k) for item in diagnosis.items for k in range(4) if (item.id, k) not in keys
    )
    assert plan.find_task((item.id, choice)) == RewriteTask(item, choice, (), (), None)


class CountingList(list[RewriteTask]):
    """Counts how often it is gone through."""

    n_passes = 0

    def __iter__(self) -> Iterator[RewriteTask]:
        self.n_passes += 1
        return super().__iter__()


def test_the_tasks_are_not_searched_for_each_choice(diagnosis: Diagnosis) -> None:
    plan = plan_rewriting(diagnosis)
    tasks = CountingList(plan.tasks)
    counted: RewritePlan = replace(plan, tasks=tasks)
    for task in plan.tasks:
        counted.find_task(task.key)
    assert tasks.n_passes == 1
