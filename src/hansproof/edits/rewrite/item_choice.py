"""Chooses the items to rewrite against rules that are not about length: just enough of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...rules.features import Ints, Mask
from ...rules.rule import NO_PICK
from ...stats import Floats
from .diagnosis import Diagnosis

SPARED = 0.1  # preference for items that no other rule gives away, in hits


def choose_items(
    diagnosis: Diagnosis, is_relative: Mapping[int, bool], is_fixed: Mask
) -> dict[int, list[int]]:
    """Return the items to rewrite, the most urgent first, with the rules to rewrite them against.

    `is_relative` has the rules, and whether each compares the choices of an item. An item is
    rewritten against the rules that give it away and are still too far from chance; items are taken
    until the picks of every rule are right as often as by chance.
    """
    rules = [*is_relative]
    given_away = np.stack([diagnosis.find_given_away(rule) & ~is_fixed for rule in rules])
    relief = np.stack([_relief(diagnosis, rule, is_relative[rule]) for rule in rules])
    excess = np.array([_find_excess(diagnosis, rule) for rule in rules])
    chosen = choose_by_gain(given_away, relief, excess)
    return {item: [rules[row] for row in rows] for item, rows in chosen.items()}


def choose_by_gain(given_away: Mask, relief: Floats, excess: Floats) -> dict[int, list[int]]:
    """Return the items to rewrite, with the rows of the rules to rewrite them against.

    `given_away` and `relief` have a row for each rule and a column for each item. Items with equal
    columns bring the same gain, so it is computed for each kind of item, not for each item. The
    last kind contains the items chosen so far, which bring nothing more.
    """
    n_rules, n_items = given_away.shape
    table, kind = np.unique(np.vstack([given_away, relief]), axis=1, return_inverse=True)
    # in C order, so that numpy sums the gains of a kind in the order of the rules
    table = np.ascontiguousarray(np.hstack([table, np.zeros((2 * n_rules, 1))]))
    is_open, relief, excess = table[:n_rules] > 0, table[n_rules:], excess.copy()
    queues = [iter(items.tolist()) for items in _list_items(kind.ravel())]
    next_item = np.array([*map(next, queues), n_items])
    chosen: dict[int, list[int]] = {}
    while True:
        gain = np.abs(excess)[:, None] - np.abs(excess[:, None] - relief)
        helps = is_open & (gain > 0)
        useful = np.where(helps, gain, 0.0).sum(axis=0)
        scores = useful - SPARED * (is_open & ~helps).sum(axis=0)
        scores[next_item == n_items] = -np.inf  # no item of these kinds is left
        best = _find_best(scores, next_item)
        if useful[best] <= 0:
            best = _find_best(useful, next_item)
        if useful[best] <= 0:
            return chosen
        rows, item = np.flatnonzero(helps[:, best]), int(next_item[best])
        chosen[item] = rows.tolist()
        excess[rows] -= relief[rows, best]
        next_item[best] = next(queues[best], n_items)
        next_item[-1] = min(next_item[-1], item)
        is_open[:, best] &= next_item[best] < n_items


def _list_items(kind: Ints) -> list[Ints]:
    """Return the items of each kind, in order."""
    by_kind = np.argsort(kind, kind="stable")
    return np.split(by_kind, np.cumsum(np.bincount(kind))[:-1])


def _find_best(scores: Floats, next_item: Ints) -> int:
    """Return the kind with the highest score; of several, the one whose next item comes first."""
    best = np.flatnonzero(scores == scores.max())
    return int(best[np.argmin(next_item[best])])


def _find_excess(diagnosis: Diagnosis, rule: int) -> float:
    """Return by how many hits a rule is beyond chance, on its side of chance."""
    hits, _ = diagnosis.count_hits(rule)
    surplus = hits - float(diagnosis.layout.chance[diagnosis.picks[rule] != NO_PICK].sum())
    return surplus if diagnosis.rules[rule].is_telling else -surplus


def _relief(diagnosis: Diagnosis, rule: int, is_relative: bool) -> Floats:
    """Return by how much each rewritten item brings a rule closer to chance.

    If a rule compares the choices, it picks another choice afterwards; otherwise two choices fit,
    and it picks none.
    """
    chance = diagnosis.layout.chance
    if is_relative:
        return np.ones(chance.size)
    return 1 - chance if diagnosis.rules[rule].is_telling else chance
