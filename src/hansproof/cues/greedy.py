"""Which items, mirrored or left out one after the other, take the most strength from the cues?

Strength beyond chance is  sum over cues of (D^2 - V) / W:  D is by how many hits the items that
have the cue are off chance, V what D^2 is expected to be under the null, W the variance of one cue
that applies as often. To take an item out, or to mirror it, changes D, V and W of its cues only.
Items of a group go together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..stats import group_numbers
from ..types import Items
from .counts import ChoiceLayout, CueCounts, build_incidence, sort_rows_by
from .strength import min_applicability

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class GroupContributions:
    """What every group adds to D, V and W of its cues: rows sorted by group."""

    group: Ints  # of every item
    size: Ints  # items of every group
    start: Ints  # where each group's rows begin
    cue: Ints
    deviation: Floats  # its share of D
    expected: Floats  # of V
    weight: Floats  # of W
    mirror_weight: Floats  # what W gains when the group is mirrored
    order: Ints  # of every cue: number of its words

    @classmethod
    def from_counts(
        cls, items: Items, counts: Sequence[CueCounts], layout: ChoiceLayout
    ) -> GroupContributions:
        """The shares of all groups; an item without a group is one by itself."""
        group = group_numbers([item.group for item in items])
        n_groups = int(group.max(initial=-1)) + 1
        parts = [
            build_incidence([order_counts], layout, min_applicability(layout))
            for order_counts in counts
        ]
        order = np.repeat(
            [order_counts.order for order_counts in counts], [part.cues for part in parts]
        )
        shift = np.cumsum([0, *(part.cues for part in parts)])
        cue = np.concatenate([part.cue + shift[index] for index, part in enumerate(parts)])
        item = np.concatenate([part.item for part in parts])
        hit = np.concatenate([part.hit for part in parts])
        chance = layout.chance[item]
        # rows of a group that share a cue become one
        size = max(int(shift[-1]), 1)
        keys, merged_row = np.unique(group[item] * size + cue, return_inverse=True)
        is_single = np.bincount(group, minlength=n_groups) == 1
        variance = chance * (1 - chance)
        deviation = _sum_by_index(merged_row, hit - chance, keys.size)
        weight = _sum_by_index(merged_row, variance, keys.size)
        mirror_weight = _sum_by_index(merged_row, (1 / chance - 1) * variance, keys.size)
        owner = keys // size
        # items that turn together keep what they add up to, whichever way they turn
        expected = np.where(is_single[owner], weight, deviation**2)
        start = np.searchsorted(owner, np.arange(n_groups + 1))
        return cls(
            group, np.bincount(group, minlength=n_groups), start, keys % size,
            deviation, expected, weight, mirror_weight, order,
        )  # fmt: skip

    def cue_sums(self) -> Floats:
        """D, V and W of every cue, a row each."""
        parts = (self.deviation, self.expected, self.weight)
        return np.stack([_sum_by_index(self.cue, part, self.order.size) for part in parts])

    def find_balanced(self) -> NDArray[np.bool_]:
        """The groups that say nothing: each of their cues is right as often as chance has it."""
        owner = np.repeat(np.arange(self.size.size), np.diff(self.start))
        telling = np.bincount(owner, np.abs(self.deviation) > 1e-9, self.size.size)
        return np.asarray(telling == 0)


def _sum_by_index(index: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(index, values, size).astype(np.float64)


class GreedySearch:
    """Groups taken out or mirrored, and what is left of the strength beyond chance."""

    def __init__(self, contributions: GroupContributions, weights: dict[int, float]) -> None:
        """`weights`: what strength beyond chance counts, by the order of the cue."""
        self.contributions = contributions
        self.worth = np.array([weights.get(int(order), 0.0) for order in contributions.order])
        self.by_cue = sort_rows_by(contributions.cue, contributions.order.size)
        self.owner = np.repeat(np.arange(contributions.size.size), np.diff(contributions.start))
        self.sums = contributions.cue_sums()

    def total_excess(self) -> float:
        """What all cues together are beyond chance."""
        deviation, expected, weight = self.sums
        cue_excess = np.divide(
            deviation**2 - expected, weight, np.zeros_like(deviation), where=weight > 1e-9
        )
        return float((self.worth * cue_excess).sum())

    def mirror_groups(self, candidates: Ints, hold_at_chance: bool) -> Ints:
        """Groups in the order in which they are best mirrored, and mirrored when it returns.

        Until nothing is beyond chance; with `hold` all of them, so that nothing gets beyond chance
        nor below it: what is left would tell the answers by being wrong too often.
        """
        min_excess = -np.inf if hold_at_chance else 0
        return self._run_greedy(
            self._mirror_change(), candidates, min_excess, candidates.size, hold_at_chance
        )

    def take_out(self, candidates: Ints, min_excess: float, max_groups: int) -> Ints:
        """Groups to take out, best first, until what is beyond chance is no more than `least`."""
        return self._run_greedy(self._removal_change(), candidates, min_excess, max_groups)

    def put_back(self, candidates: Ints) -> Ints:
        """All candidates in the order in which they are best put back; done when it returns."""
        deviation, expected, weight = self._removal_change()
        return self._run_greedy(
            (-deviation, -expected, -weight), candidates, -np.inf, candidates.size
        )

    def remove_all(self, groups: Ints) -> None:
        """Take these out, without looking for an order."""
        self._apply_change(groups, self._removal_change())

    def mirror_all(self, groups: Ints) -> None:
        """Mirror these, without looking for an order."""
        self._apply_change(groups, self._mirror_change())

    def _removal_change(self) -> tuple[Floats, Floats, Floats]:
        return (
            -self.contributions.deviation,
            -self.contributions.expected,
            -self.contributions.weight,
        )

    def _mirror_change(self) -> tuple[Floats, Floats, Floats]:
        return (
            -self.contributions.deviation,
            -self.contributions.expected,
            self.contributions.mirror_weight,
        )

    def _apply_change(self, groups: Ints, change: tuple[Floats, ...]) -> None:
        rows = np.flatnonzero(np.isin(self.owner, groups))
        for sums, part in zip(self.sums, change, strict=True):
            np.add.at(sums, self.contributions.cue[rows], part[rows])

    def _run_greedy(
        self, change: tuple[Floats, ...], candidates: Ints, min_excess: float, max_groups: int,
        hold_at_chance: bool = False,
    ) -> Ints:  # fmt: skip
        alive = np.zeros(self.contributions.size.size, np.bool_)
        alive[candidates] = True
        size = self.contributions.size.astype(np.float64)
        rows = (
            self.contributions.start,
            self.contributions.cue,
            np.stack(change),
            self.owner,
            *self.by_cue,
        )
        order = np.empty(min(max_groups, candidates.size), np.int64)
        bounds = (self.total_excess(), min_excess, hold_at_chance)
        n = _greedy_order(*rows, self.worth, size, self.sums, alive, bounds, order)
        return order[:n]


@njit(inline="always")
def _cue_excess(worth, deviation, expected, weight):  # type: ignore[no-untyped-def]
    return worth * (deviation * deviation - expected) / weight if weight > 1e-9 else 0.0


@njit(cache=True)
def _greedy_order(  # type: ignore[no-untyped-def]
    start, cue, change, owner, by_cue, first, worth, size, sums, alive, bounds, order
):
    """Move the group that lowers the excess most, for its size, again and again; how many.

    With `hold`, the one that brings it nearest to nothing, from above or from below.
    """
    excess, min_excess, hold_at_chance = bounds
    gain = np.zeros(size.size)
    for group in range(size.size):
        if alive[group]:
            for row in range(start[group], start[group + 1]):
                gain[group] += _excess_drop(cue[row], row, change, worth, sums)
    n = 0
    while n < order.size and (excess > min_excess or min_excess < 0):
        best, value = -1, -np.inf
        for group in range(size.size):
            if alive[group]:
                group_value = (
                    -abs(excess - gain[group]) if hold_at_chance else gain[group] / size[group]
                )
                if group_value > value:
                    best, value = group, group_value
        if best < 0:
            break
        order[n] = best
        n += 1
        alive[best] = False
        excess -= gain[best]
        for row in range(start[best], start[best + 1]):
            c = cue[row]
            if worth[c] == 0.0:
                sums[:, c] += change[:, row]
                continue
            for position in range(first[c], first[c + 1]):
                other = by_cue[position]
                if alive[owner[other]]:
                    gain[owner[other]] -= _excess_drop(c, other, change, worth, sums)
            sums[:, c] += change[:, row]
            for position in range(first[c], first[c + 1]):
                other = by_cue[position]
                if alive[owner[other]]:
                    gain[owner[other]] += _excess_drop(c, other, change, worth, sums)
    return n


@njit(inline="always")
def _excess_drop(c, row, change, worth, sums):  # type: ignore[no-untyped-def]
    """By how much the excess of a cue falls when this row changes it."""
    deviation, expected, weight = sums[0, c], sums[1, c], sums[2, c]
    return _cue_excess(worth[c], deviation, expected, weight) - _cue_excess(
        worth[c], deviation + change[0, row], expected + change[1, row], weight + change[2, row]
    )
