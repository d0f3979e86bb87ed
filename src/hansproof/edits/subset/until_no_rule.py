"""Removes as few groups as possible until the search of `shortcuts` finds no rule.

In each round the rules that the search finds among the kept items join those of earlier rounds, and
the groups to remove are chosen again, from all groups, so that none of these rules is significant.
Then the search is repeated, as its next rule is one that these had hidden.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...cues.counts import ChoiceLayout
from ...cues.significant_cues import SignificantCues
from ...rules.climb import Climb, climb_ladder, default_permutations
from ...rules.confirm import TestedRule
from ...rules.features import Ints, Mask
from ...rules.pick_tests import ROUNDING
from ...rules.portable import PortableRule
from ...rules.rule import NO_PICK
from ...stats import Floats, group_numbers
from ...text.tokenizers import Tokenizer
from ...types import Items
from .until_significant import groups_to_remove

MAX_ROUNDS = 20
STRICTER = 2.0  # times the level, when only rules are found again that should be gone
MAX_LEVEL = 0.5


@dataclass(frozen=True, slots=True)
class SearchRound:
    """A search among the kept items, and the significant rules that it found."""

    n_kept: int
    climb: Climb
    rules: list[TestedRule]


@dataclass(frozen=True, slots=True)
class RuleRemoval:
    """The removed items, and the searches: the first in all items, the last in the kept ones."""

    is_removed: NDArray[np.bool_]
    rounds: list[SearchRound]

    @property
    def is_finished(self) -> bool:
        """Whether the last search found no rule."""
        return not self.rounds or not self.rounds[-1].rules


def remove_rules(items: Items, tokenizer: Tokenizer, level: float, seed: int) -> RuleRemoval:
    """Search and remove, until the search finds nothing, or for MAX_ROUNDS rounds."""
    group = group_numbers([item.group for item in items])
    positions = np.arange(len(items))
    rounds: list[SearchRound] = []
    picks: dict[PortableRule, Ints] = {}
    strictness = level
    while positions.size:
        kept_items = tuple(items[index] for index in positions)
        climb = climb_ladder(
            kept_items, tokenizer, permutations=default_permutations(level), seed=seed
        )
        rules = climb.significant_rules(level)
        rounds.append(SearchRound(positions.size, climb, rules))
        if not rules or len(rounds) > MAX_ROUNDS:
            break
        new_picks = {PortableRule.from_tested(rule, climb.columns): rule.picks for rule in rules}
        if new_picks.keys() <= picks.keys():
            strictness = max(level, min(strictness * STRICTER, MAX_LEVEL))
        full = rounds[0].climb
        for rule, kept_picks in new_picks.items():
            picks[rule] = _extend_picks(rule, kept_picks, positions, climb, full)
        removed = _choose_groups(picks, full.columns.layout, group, strictness)
        positions = np.flatnonzero(~np.isin(group, removed))
    return RuleRemoval(~np.isin(np.arange(len(items)), positions), rounds)


def _extend_picks(
    rule: PortableRule, kept_picks: Ints, positions: Ints, climb: Climb, full: Climb
) -> Ints:
    """Return what a rule picks in all items: what it picked in the kept ones, and in the others."""
    picks = rule.pick(full.columns)
    place = kept_picks - climb.columns.layout.first[:-1]
    first = full.columns.layout.first[:-1][positions]
    picks[positions] = np.where(kept_picks == NO_PICK, NO_PICK, first + place)
    return picks


def _choose_groups(
    picks: dict[PortableRule, Ints], layout: ChoiceLayout, group: Ints, level: float
) -> Ints:
    """Choose groups to remove, so that none of the rules is significant at this level.

    As in the search, a group counts once, by whether its picks are right more often than by chance.
    """
    sizes = np.bincount(group)
    rows = [_count_groups(rule_picks, layout, group) for rule_picks in picks.values()]
    rule = np.repeat(np.arange(len(rows)), [groups.size for groups, _, _ in rows])
    groups, is_hit, chance = (np.concatenate(column) for column in zip(*rows, strict=True))
    significant = SignificantCues(
        [rule.describe() for rule in picks], rule, np.arange(rule.size), is_hit,
        np.r_[groups, np.arange(sizes.size)], chance, level,
    )  # fmt: skip
    return groups_to_remove(significant, sizes)


def _count_groups(picks: Ints, layout: ChoiceLayout, group: Ints) -> tuple[Ints, Mask, Floats]:
    """Return the groups that say something about a rule, whether it is right in them, and its
    chance.
    """
    items = np.flatnonzero(picks != NO_PICK)
    surplus = layout.is_answer[picks[items]] - layout.chance[items]
    size = int(group.max()) + 1
    n_picks = np.bincount(group[items], minlength=size)
    totals = np.bincount(group[items], surplus, size)
    chance = np.bincount(group[items], layout.chance[items], size) / np.maximum(n_picks, 1)
    groups = np.flatnonzero((n_picks > 0) & (np.abs(totals) > ROUNDING))
    return groups, totals[groups] > 0, chance[groups]
