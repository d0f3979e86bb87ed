"""Whether the cues of each set, taken together, stay inside the band expected by chance.

This is checked again and again while items are mirrored or removed. Once items are chosen by their
answers, the band is no longer a test but a target: check what a blind model still answers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

import numpy as np

from ..text.tokenizers import Tokenizer
from ..training.leakage_groups import find_leakage_groups
from ..types import Items
from .counts import ChoiceLayout, build_layout, count_cues
from .greedy import GreedySearch, GroupContributions, Ints
from .incidence import CueSet
from .strength import (
    UNCHANGED,
    CueRows,
    CueStrength,
    States,
    collect_ngrams,
    iter_null_answers,
)


class NullBand:
    """The cues of some items, and the null distribution of the strength of each set of cues."""

    def __init__(
        self, items: Items, layout: ChoiceLayout, cue_sets: Sequence[CueSet],
        randomisations: int, seed: int,
    ) -> None:  # fmt: skip
        self.items, self.layout, self.cue_sets = items, layout, cue_sets
        self.shares = GroupContributions.from_cues(items, cue_sets, layout)
        self.rows = [CueRows.from_cues(items, cue_set, layout) for cue_set in cue_sets]
        self.randomisations = randomisations
        self.null_answers = [
            *iter_null_answers(items, find_leakage_groups(items), randomisations, seed)
        ]
        self.initial = self.strengths(self.make_states(np.zeros(0, np.int64), UNCHANGED))

    @classmethod
    def from_ngrams(
        cls, items: Items, tokenizer: Tokenizer, ngram: int, randomisations: int, seed: int
    ) -> NullBand:
        """Count the n-grams of every order; each order is a set of cues."""
        layout = build_layout(items)
        counts = count_cues(items, tokenizer, ngram, layout)
        cue_sets = [collect_ngrams(order_counts, layout) for order_counts in counts]
        return cls(items, layout, cue_sets, randomisations, seed)

    def make_states(self, groups: Ints, state: int) -> States:
        """Return the states of all items: unchanged, except the items of these groups."""
        states = np.full(len(self.items), UNCHANGED, np.int8)
        states[np.isin(self.shares.group, groups)] = state
        return states

    def strengths(self, states: States) -> list[CueStrength]:
        """Compute the strength of each order, given the states of the items."""
        return [
            rows.compute_strength(states, self.null_answers, self.randomisations)
            for rows in self.rows
        ]

    def is_inside(self, states: States) -> bool:
        """Return whether no order is above its band."""
        return not self.orders_above(states)

    def strongest_cues(self, groups: Ints, max_cues: int) -> list[list[str]]:
        """Return for each group the cues through which it contributes most to the strength."""
        s = self.shares
        off, _, weight = s.cue_sums()
        contributions = s.deviation * off[s.cue] / weight[s.cue]
        cues = [
            (cue_set, number)
            for cue_set in self.cue_sets
            for number in range(cue_set.incidence.cues)
        ]
        names = []
        for group in groups.tolist():
            rows = np.arange(s.start[group], s.start[group + 1])
            best = rows[np.argsort(-contributions[rows], kind="stable")[:max_cues]]
            strongest = (cues[s.cue[row]] for row in best if contributions[row] > 0)
            names.append([cue_set.name(number) for cue_set, number in strongest])
        return names

    def make_search(self, orders: Collection[int] = ()) -> GreedySearch:
        """Return a search that lowers the strength of these orders, by default of all."""
        # an order counts by its distance from the band, not by its number of cues
        weights = {
            order: 1 / (s.null_high - s.null_low)
            for order, s in enumerate(self.initial, 1)
            if s.null_high > s.null_low and (order in orders or not orders)
        }
        return GreedySearch(self.shares, weights)

    def orders_above(self, states: States) -> list[int]:
        """Return the orders whose strength is above its band."""
        return [order for order, s in enumerate(self.strengths(states), 1) if s.is_above_band()]

    def nearest_order(self, states: States) -> int:
        """Return the order with the smallest margin below the upper end of its band."""
        margins = [
            (s.null_high - s.value) / max(s.null_high - s.null_low, 1e-9)
            for s in self.strengths(states)
        ]
        return 1 + int(np.argmin(margins))

    def groups_needed(self, order: Ints, state: int) -> int:
        """Return how many groups, in this order, bring all strengths inside their bands."""

        def is_enough(n_groups: int) -> bool:
            return self.is_inside(self.make_states(order[:n_groups], state))

        # the strength may cross its band repeatedly: if it is inside at the start, none is needed
        return 0 if is_enough(0) else bisect_left(range(order.size), True, key=is_enough)
