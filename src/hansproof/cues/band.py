"""Do the cues of every order, taken together, stay inside the band that chance gives them?

Asked again and again while items are mirrored or left out. Once items were chosen by their answers
the band is no test any more, only a mark to aim at: see what a blind model still answers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

import numpy as np

from ..text import Tokenizer
from ..training.units import units
from ..types import Items
from .counts import count, layout
from .greedy import Ints, Search, Shares
from .strength import KEPT, Rows, States, Strength, dealt, fewest


class Band:
    """The cues of some items, and the null of their strength."""

    def __init__(
        self, items: Items, tokens: Tokenizer, ngram: int, randomisations: int, seed: int
    ) -> None:
        self.items, self.where = items, layout(items)
        self.counts = count(items, tokens, ngram, self.where)
        self.shares = Shares.of(items, self.counts, self.where)
        self.rows = [Rows.of(items, one, self.where) for one in self.counts]
        self.randomisations = randomisations
        self.dealt = [*dealt(items, units(items), randomisations, seed)]
        self.start = self.strengths(self.states(np.zeros(0, np.int64), KEPT))

    def states(self, groups: Ints, state: int) -> States:
        """Every item kept, but for those of these groups."""
        found = np.full(len(self.items), KEPT, np.int8)
        found[np.isin(self.shares.group, groups)] = state
        return found

    def strengths(self, states: States) -> list[Strength]:
        """By order, what is left."""
        return [rows.strength(states, self.dealt, self.randomisations) for rows in self.rows]

    def inside(self, states: States) -> bool:
        """Whether none of them is above its band."""
        return not self.above(states)

    def words(self, groups: Ints, most: int) -> list[list[str]]:
        """For each of these groups, the cues by which it adds most to the strength."""
        s = self.shares
        off, _, weight = s.sums()
        adds = s.off * off[s.cue] / weight[s.cue]
        # cues are numbered order by order, those that were not looked at left out
        named = [
            (counts, int(at))
            for counts in self.counts
            for at in np.flatnonzero(counts.applicability >= fewest(self.where))
        ]
        found = []
        for group in groups.tolist():
            rows = np.arange(s.start[group], s.start[group + 1])
            best = rows[np.argsort(-adds[rows], kind="stable")[:most]]
            cues = (named[s.cue[row]] for row in best if adds[row] > 0)
            found.append([counts.name(at) for counts, at in cues])
        return found

    def search(self, orders: Collection[int] = ()) -> Search:
        """A search that lowers the strength of these orders; of all, where none is named."""
        # so that an order counts by how far it is out, not by how many cues it has
        weights = {
            order: 1 / (s.null_high - s.null_low)
            for order, s in enumerate(self.start, 1)
            if s.null_high > s.null_low and (order in orders or not orders)
        }
        return Search(self.shares, weights)

    def above(self, states: States) -> list[int]:
        """The orders whose strength is above its band."""
        return [order for order, s in enumerate(self.strengths(states), 1) if s.beyond()]

    def nearest(self, states: States) -> int:
        """The order that has the least room below the upper end of its band."""
        room = [
            (s.null_high - s.value) / max(s.null_high - s.null_low, 1e-9)
            for s in self.strengths(states)
        ]
        return 1 + int(np.argmin(room))

    def enough(self, order: Ints, state: int) -> int:
        """How many groups, in this order, bring all strengths inside their bands."""

        def inside(many: int) -> bool:
            return self.inside(self.states(order[:many], state))

        # near its band the strength may go in and out: what is inside from the start needs none
        return 0 if inside(0) else bisect_left(range(order.size), True, key=inside)
