"""Plans what to rewrite: lengths first, then what other rules are about, in order of urgency."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...rules.features import Ints, choice_texts
from ...rules.portable import PortableRule
from ...rules.rule import Rule, pick_choices
from ...rules.typography import count_characters
from ...text.tokenizers import Tokenizer
from ...types import Item, Items
from .._worksheets import ChoiceTask
from .advice import advise_length, advise_rule, choose_choice
from .diagnosis import Diagnosis, find_given_away, find_relative, find_twins, is_about_length
from .item_choice import choose_items
from .length_plan import LengthPlan, plan_lengths


@dataclass(frozen=True, slots=True)
class RewriteTask(ChoiceTask):
    """A choice to rewrite, why, and how."""

    rules: tuple[str, ...]  # that give the item away now
    advice: tuple[str, ...]
    target: int | None  # number of characters


@dataclass(frozen=True, slots=True)
class RewritePlan:
    """The choices to rewrite, and which items the rules give away when all are rewritten."""

    tasks: list[RewriteTask]
    given_away: NDArray[np.bool_]  # by rule of the diagnosis and item


@dataclass(slots=True)
class _ItemPlan:
    """What is planned for one item, by choice."""

    targets: dict[int, int] = field(default_factory=dict)
    advice: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))


def plan_rewriting(diagnosis: Diagnosis, items: Items, tokenizer: Tokenizer) -> RewritePlan:
    """Plan just enough rewriting for the picks of every rule to be right as often as by chance."""
    given_away = np.array([diagnosis.find_given_away(k) for k in range(len(diagnosis.rules))])
    plans: dict[int, _ItemPlan] = defaultdict(_ItemPlan)
    is_fixed = find_twins(items)
    length_rules = [k for k, rule in enumerate(diagnosis.rules) if is_about_length(rule)]
    other_rules = [k for k in range(len(diagnosis.rules)) if k not in length_rules]
    orders = []
    if length_rules:
        length_plan = plan_lengths(items, is_fixed)
        orders.append(_plan_lengths(length_plan, items, diagnosis, plans))
        for k in length_rules:
            given_away[k] = _find_planned(diagnosis.rules[k], length_plan, diagnosis)
    if other_rules:
        is_relative = _find_relative_rules(diagnosis, other_rules, items, tokenizer)
        chosen = choose_items(diagnosis, other_rules, is_relative, is_fixed)
        relative = dict(zip(other_rules, is_relative, strict=True))
        for i, rules in chosen.items():
            _plan_item(plans[i], items[i], i, rules, relative, diagnosis)
            given_away[rules, i] = False
        orders.append([*chosen])
    tasks = [
        task
        for i in _merge_orders(orders)
        for task in _make_tasks(plans[i], items[i], i, diagnosis)
    ]
    return RewritePlan(tasks, given_away)


def _plan_lengths(
    length_plan: LengthPlan, items: Items, diagnosis: Diagnosis, plans: dict[int, _ItemPlan]
) -> list[int]:
    """Add the planned lengths; return the items in order."""
    lengths = count_characters(choice_texts(items))
    bounds = [*pairwise(diagnosis.layout.first.tolist())]
    for i in length_plan.order:
        begin, end = bounds[i]
        targets = dict(length_plan.changes[i].targets)
        plans[i].targets |= targets
        for choice in targets:
            plans[i].advice[choice].append(advise_length(lengths[begin:end], targets, choice))
    return length_plan.order


def _find_planned(rule: PortableRule, plan: LengthPlan, diagnosis: Diagnosis) -> NDArray[np.bool_]:
    """Tell which items a rule about length gives away after the plan."""
    columns = [plan.masks[name] for name in rule.names]
    fits = Rule(tuple(range(len(columns))), rule.negated, rule.connective).combine_columns(columns)
    picks = pick_choices(fits, diagnosis.layout)
    return find_given_away(rule, picks, diagnosis.layout, diagnosis.climb.answers)


def _find_relative_rules(
    diagnosis: Diagnosis, rules: Sequence[int], items: Items, tokenizer: Tokenizer
) -> list[bool]:
    """Tell which rules of one feature compare the choices of an item."""
    labels = [label for k in rules for label in diagnosis.rules[k].features]
    relative = find_relative(labels, diagnosis.climb.columns, items, tokenizer)
    return [
        len(diagnosis.rules[k].features) == 1 and diagnosis.rules[k].features[0] in relative
        for k in rules
    ]


def _plan_item(
    plan: _ItemPlan, item: Item, i: int, rules: Sequence[int], relative: dict[int, bool],
    diagnosis: Diagnosis,
) -> None:  # fmt: skip
    """Add advice against the rules that give an item away."""
    wrong = _choose_wrong(plan, item)
    for k in rules:
        rule, picked = diagnosis.rules[k], int(diagnosis.picks[k][i] - diagnosis.layout.first[i])
        choice = choose_choice(rule, item, picked, relative[k], wrong)
        plan.advice[choice].append(advise_rule(rule, item, picked, relative[k]))


def _choose_wrong(plan: _ItemPlan, item: Item) -> int:
    """Choose a wrong choice: one that is rewritten anyway, or the one most like the right length."""
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


def _make_tasks(plan: _ItemPlan, item: Item, i: int, diagnosis: Diagnosis) -> list[RewriteTask]:
    rules = tuple(
        _describe_hits(diagnosis, k)
        for k in range(len(diagnosis.rules))
        if diagnosis.find_given_away(k)[i]
    )
    return [
        RewriteTask(item, choice, rules, tuple(advice), plan.targets.get(choice))
        for choice, advice in sorted(plan.advice.items())
    ]


def _describe_hits(diagnosis: Diagnosis, k: int) -> str:
    """Describe a rule and how often it is right: `the longest choice (right in 9 of 10)`."""
    rule, (hits, n) = diagnosis.rules[k], diagnosis.count_hits(k)
    outcome = f"right in {hits:,}" if rule.is_telling else f"wrong in {n - hits:,}"
    return f"{rule.describe()} ({outcome} of {n:,} items)"
