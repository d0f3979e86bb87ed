"""Plans what to rewrite: lengths first, then what other rules are about, in order of urgency."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ...rules.features import Mask, choice_texts
from ...rules.portable import PortableRule
from ...rules.rule import Rule, pick_choices
from ...rules.typography import count_characters
from ...types import Item
from .._worksheets import ChoiceTask, TaskKey
from .advice import advise_length, advise_rule, choose_choice
from .diagnosis import (
    Diagnosis,
    find_fixed,
    find_given_away,
    find_independent,
    find_length_rules,
    find_relative,
)
from .item_choice import choose_items
from .length_plan import LengthPlan, plan_lengths

MAX_ADVICE = 2  # rules that an item is rewritten against: weaker ones mostly say the same again


@dataclass(frozen=True, slots=True)
class RewriteTask(ChoiceTask):
    """A choice to rewrite, why, and how."""

    rules: tuple[str, ...]  # that give the item away now
    advice: tuple[str, ...]
    target: int | None  # number of characters


@dataclass(frozen=True)
class RewritePlan:
    """The choices to rewrite, and which items the rules give away when all are rewritten."""

    diagnosis: Diagnosis
    tasks: list[RewriteTask]
    given_away: list[Mask]  # by rule of the diagnosis and item

    def find_task(self, key: TaskKey) -> RewriteTask:
        """Return the task of a choice, also of one that need not be rewritten."""
        task = self._task_by_key.get(key)
        return task or RewriteTask(self._item_by_id[key[0]], key[1], (), (), None)

    @cached_property
    def _task_by_key(self) -> dict[TaskKey, RewriteTask]:
        return {task.key: task for task in self.tasks}

    @cached_property
    def _item_by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.diagnosis.items}


@dataclass(slots=True)
class _ItemPlan:
    """What is planned for one item, by choice."""

    targets: dict[int, int] = field(default_factory=dict)
    advice: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


def plan_rewriting(diagnosis: Diagnosis) -> RewritePlan:
    """Plan just enough rewriting for the picks of every rule to be right as often as by chance."""
    items = diagnosis.items
    before = [diagnosis.find_given_away(k) for k in range(len(diagnosis.rules))]
    after = [mask.copy() for mask in before]
    plans: dict[int, _ItemPlan] = defaultdict(_ItemPlan)
    is_fixed = find_fixed(items)
    length_rules = find_length_rules(diagnosis)
    orders = []
    if length_rules:
        length_plan = plan_lengths(items, is_fixed)
        orders.append(_add_lengths(length_plan, diagnosis, plans))
        for k in length_rules:
            after[k] = _find_planned(diagnosis.rules[k], length_plan, diagnosis)
    is_relative = _find_relative_rules(diagnosis, length_rules)
    if is_relative:
        chosen = choose_items(diagnosis, is_relative, is_fixed)
        for i, rules in chosen.items():
            surest = {k: is_relative[k] for k in rules[:MAX_ADVICE]}
            _add_rules(plans[i], items[i], i, surest, diagnosis)
            for k in surest:
                after[k][i] = False
        orders.append([*chosen])
    described = [_describe_hits(diagnosis, k) for k in range(len(diagnosis.rules))]
    tasks = []
    for i in _merge_orders(orders):
        rules_now = [text for text, mask in zip(described, before, strict=True) if mask[i]]
        tasks += _make_tasks(plans[i], items[i], rules_now)
    return RewritePlan(diagnosis, tasks, after)


def _add_lengths(
    length_plan: LengthPlan, diagnosis: Diagnosis, plans: dict[int, _ItemPlan]
) -> list[int]:
    """Add the planned lengths; return the items in order."""
    all_lengths, first = count_characters(choice_texts(diagnosis.items)), diagnosis.layout.first
    for i in length_plan.order:
        lengths = all_lengths[first[i] : first[i + 1]]
        targets = dict(length_plan.changes[i].targets)
        plans[i].targets |= targets
        for choice in targets:
            plans[i].advice[choice].append(advise_length(lengths, targets, choice))
    return length_plan.order


def _find_planned(rule: PortableRule, plan: LengthPlan, diagnosis: Diagnosis) -> Mask:
    """Tell which items a rule about length gives away after the plan."""
    columns = [plan.masks[name] for name in rule.names]
    fits = Rule(tuple(range(len(columns))), rule.negated, rule.connective).combine_columns(columns)
    picks = pick_choices(fits, diagnosis.layout)
    return find_given_away(rule, picks, diagnosis.layout, diagnosis.climb.answers)


def _find_relative_rules(diagnosis: Diagnosis, length_rules: Sequence[int]) -> dict[int, bool]:
    """Tell of each rule that is not about length whether it compares the choices of an item."""
    other_rules = find_independent(diagnosis, length_rules)
    if not other_rules:
        return {}
    labels = [label for k in other_rules for label in diagnosis.rules[k].features]
    relative = find_relative(labels, diagnosis)
    return {
        k: len(diagnosis.rules[k].features) == 1 and diagnosis.rules[k].features[0] in relative
        for k in other_rules
    }


def _add_rules(
    plan: _ItemPlan, item: Item, i: int, is_relative: dict[int, bool], diagnosis: Diagnosis
) -> None:
    """Add advice against the rules that give an item away."""
    wrong = _choose_wrong(plan, item)
    for k, relative in is_relative.items():
        rule, picked = diagnosis.rules[k], int(diagnosis.picks[k][i] - diagnosis.layout.first[i])
        choice = choose_choice(rule, item, picked, relative, wrong)
        plan.advice[choice].append(advise_rule(rule, item, choice, picked, relative))


def _choose_wrong(plan: _ItemPlan, item: Item) -> int:
    """Choose a wrong choice: one that is rewritten anyway, or the one nearest in length."""
    assert item.answer is not None
    right = len(item.choices[item.answer])
    wrong = [choice for choice in range(len(item.choices)) if choice != item.answer]
    return min(
        wrong,
        key=lambda choice: (choice not in plan.advice, abs(len(item.choices[choice]) - right)),
    )


def _merge_orders(orders: Sequence[Sequence[int]]) -> list[int]:
    """Merge orders of items, so that any share of the list has that share of each."""
    ranks: dict[int, float] = {}
    for order in orders:
        for rank, i in enumerate(order):
            ranks[i] = min(ranks.get(i, 1.0), rank / len(order))
    return sorted(ranks, key=lambda i: ranks[i])


def _make_tasks(plan: _ItemPlan, item: Item, rules: Sequence[str]) -> list[RewriteTask]:
    return [
        RewriteTask(item, choice, tuple(rules), tuple(advice), plan.targets.get(choice))
        for choice, advice in sorted(plan.advice.items())
    ]


def _describe_hits(diagnosis: Diagnosis, k: int) -> str:
    """Describe a rule, and how often it is right in all items that have one such choice."""
    rule, (hits, n) = diagnosis.rules[k], diagnosis.count_hits(k)
    outcome = f"right in {hits:,}" if rule.is_telling else f"wrong in {n - hits:,}"
    return f"{rule.describe()} ({outcome} of all {n:,} items with one such choice)"
