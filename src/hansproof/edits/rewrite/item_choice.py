"""Chooses the items to rewrite against rules that are not about length: just enough of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...rules.features import Mask
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
    chosen: dict[int, list[int]] = {}
    while True:
        gain = np.abs(excess)[:, None] - np.abs(excess[:, None] - relief)
        helps = given_away & (gain > 0)
        useful = np.where(helps, gain, 0.0).sum(axis=0)
        best = int(np.argmax(useful - SPARED * (given_away & ~helps).sum(axis=0)))
        if useful[best] <= 0:
            best = int(np.argmax(useful))
        if useful[best] <= 0:
            return chosen
        rows = np.flatnonzero(helps[:, best])
        chosen[best] = [rules[row] for row in rows]
        excess[rows] -= relief[rows, best]
        given_away[:, best] = False


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
