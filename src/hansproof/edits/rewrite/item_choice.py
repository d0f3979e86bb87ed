"""Chooses the items to rewrite against rules that are not about length: just enough of them."""

from __future__ import annotations

import numpy as np

from ...rules.features import Mask
from ...stats import Floats
from .diagnosis import Diagnosis


def choose_items(
    diagnosis: Diagnosis, rules: list[int], is_relative: list[bool], is_fixed: Mask
) -> dict[int, list[int]]:
    """Return the items to rewrite, the most urgent first, with the rules that give each away.

    An item is expected to be given away by none of the rules when it is rewritten; items are taken
    until the picks of every rule are right as often as by chance.
    """
    given_away = np.stack([diagnosis.find_given_away(rule) for rule in rules])
    given_away &= ~is_fixed
    effect = given_away * np.stack(
        [
            _relief(diagnosis, rule, relative)
            for rule, relative in zip(rules, is_relative, strict=True)
        ]
    )
    missing = np.array([_distance(diagnosis, rule) for rule in rules])
    chosen: dict[int, list[int]] = {}
    while True:
        counts = np.minimum(effect, np.maximum(missing, 0)[:, None]).sum(axis=0)
        best = int(np.argmax(counts))
        # an item that would overshoot more than it helps is left alone
        if counts[best] <= effect[:, best].sum() / 2:
            return chosen
        chosen[best] = [
            rule for rule, gives in zip(rules, given_away[:, best], strict=True) if gives
        ]
        missing -= effect[:, best]
        effect[:, best] = 0


def _distance(diagnosis: Diagnosis, rule: int) -> float:
    """Return how many more hits than by chance a rule has, or how many fewer if it rules out."""
    picks = diagnosis.picks[rule]
    hits, _ = diagnosis.count_hits(rule)
    surplus = hits - float(diagnosis.layout.chance[picks >= 0].sum())
    return surplus if diagnosis.rules[rule].is_telling else -surplus


def _relief(diagnosis: Diagnosis, rule: int, is_relative: bool) -> Floats:
    """Return by how much each rewritten item brings a rule closer to chance.

    If the feature depends on the other choices, another choice is picked instead; otherwise two
    choices have it, and none is picked.
    """
    chance = diagnosis.layout.chance
    if is_relative:
        return np.ones(chance.size)
    return 1 - chance if diagnosis.rules[rule].is_telling else chance
