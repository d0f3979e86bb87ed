"""The report on a subset in which the search of `shortcuts` finds no rule."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from ..._infra.plural import plural
from ...cues.significance import ELIMINATING, TELLING
from ...rules.portable import PortableRule
from ...types import Cell, EditReport, Estimate, Items, Table
from .._blind_estimate import estimate_blind
from .selection import SELECTION_NOTE, items_table, refer_to_items
from .until_no_rule import RuleRemoval, SearchRound

RULE_COLUMNS = ("round", "items", "rule", "right", "n", "share", "chance", "p", "kind")
NOT_FINISHED_NOTE = (
    "The search was stopped after {rounds}. It still finds rules among the kept items: the "
    "last round in the table."
)
ROUNDS_NOTE = (
    "In each round the items to keep are chosen anew from all items, for the rules of all rounds "
    "so far, so their number may grow again."
)
ONLY_RULES_NOTE = (
    "Only rules that the search found were removed. Features that tell a little each may still add "
    "up: see the blind accuracy afterwards."
)


def build_rule_report(
    removal: RuleRemoval,
    before: Mapping[str, Items],
    kept_parts: Mapping[str, Items],
    removed_ids: tuple[str, ...],
    level: float,
) -> EditReport:
    """Describe the rounds of the search, its rules, and the blind accuracy before and after."""
    n_before, n_kept = (sum(map(len, parts.values())) for parts in (before, kept_parts))
    sizes = {name: len(items) for name, items in before.items()}
    rows = [
        row for number, search in enumerate(removal.rounds, 1) for row in _rule_rows(number, search)
    ]
    notes = [SELECTION_NOTE, ONLY_RULES_NOTE] if removed_ids else []
    if any(later.n_kept > earlier.n_kept for earlier, later in pairwise(removal.rounds)):
        notes.append(ROUNDS_NOTE)
    if not removal.is_finished:
        notes.insert(0, NOT_FINISHED_NOTE.format(rounds=plural(len(removal.rounds), "round")))
    return EditReport(
        summary=_write_summary(removal, n_before, n_kept),
        estimates=_blind_estimates(removal, n_kept, level),
        tables={
            "items": items_table(sizes, {name: len(items) for name, items in kept_parts.items()}),
            "rules": Table(RULE_COLUMNS, tuple(rows)),
        },
        evidence={"left out": removed_ids} if removed_ids else {},
        notes=tuple(notes),
    )


def _write_summary(removal: RuleRemoval, n_before: int, n_kept: int) -> str:
    if n_kept == n_before and removal.is_finished:
        return f"No item had to be removed: the search finds no rule in {refer_to_items(n_before)}."
    opening = f"Kept {n_kept:,} of {plural(n_before, 'item')}: "
    rounds = plural(len(removal.rounds), "round")
    if removal.is_finished:
        blind = removal.rounds[-1].climb.blind.mean() if removal.rounds[-1].n_kept else 0.0
        return (
            f"{opening}after {rounds}, the search finds no rule among them. All features of the "
            f"choices together answer {blind:.1%} of them; the fewer items, the fewer rules can be "
            "seen."
        )
    if not n_kept:
        return f"{opening}no part of them is free of the rules that the search found."
    return f"{opening}after {rounds}, the search still finds rules."


def _blind_estimates(removal: RuleRemoval, n_kept: int, level: float) -> tuple[Estimate, ...]:
    """Estimate the blind accuracy of all items, and of the kept ones if they are fewer."""
    before, after = removal.rounds[0], removal.rounds[-1]
    estimates = [estimate_blind(before.climb, "blind accuracy before", level)]
    if before.n_kept > n_kept == after.n_kept:
        estimates.append(estimate_blind(after.climb, "blind accuracy of the kept items", level))
    return tuple(estimates)


def _rule_rows(number: int, search: SearchRound) -> list[tuple[Cell, ...]]:
    return [
        (
            number, search.n_kept, PortableRule.from_tested(rule, search.climb.columns).describe(),
            rule.hits, rule.n, rule.hits / rule.n, rule.chance, rule.p,
            TELLING if rule.is_telling else ELIMINATING,
        )
        for rule in search.rules
    ]  # fmt: skip
