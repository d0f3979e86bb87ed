"""A greedy search for the items whose mirroring or removal weakens cues the most.

The excess strength is the sum over cues of (D^2 - V) / W: D is the deviation of the cue's hits from
chance, V the expectation of D^2 under the null, and W the variance of a cue with the same
applicability. Removing or mirroring an item changes D, V and W of its own cues only. Items of a
group are treated together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .._infra.compilation import compile_function
from ..stats import group_numbers
from ..types import Items
from .counts import ChoiceLayout
from .incidence import CueSet, sort_rows_by

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class GroupContributions:
    """What each group contributes to D, V and W of its cues, in rows sorted by group."""

    group: Ints  # of every item
    size: Ints  # items of every group
    start: Ints  # where each group's rows begin
    cue: Ints
    deviation: Floats  # its share of D
    expected: Floats  # of V
    weight: Floats  # of W
    mirror_weight: Floats  # what W gains when the group is mirrored
    order: Ints  # of every cue: the number of its set, from 1; of an n-gram its words

    @classmethod
    def from_cues(
        cls, items: Items, cue_sets: Sequence[CueSet], layout: ChoiceLayout
    ) -> GroupContributions:
        """Compute the contributions of all groups; an item without a group is its own group."""
        group = group_numbers([item.group for item in items])
        n_groups = int(group.max(initial=-1)) + 1
        parts = [cue_set.incidence for cue_set in cue_sets]
        order = np.repeat(np.arange(1, len(parts) + 1), [part.cues for part in parts])
        shift = np.cumsum([0, *(part.cues for part in parts)])
        cue = np.concatenate([part.cue + shift[index] for index, part in enumerate(parts)])
        item = np.concatenate([part.item for part in parts])
        hit = np.concatenate([part.hit for part in parts])
        chance = layout.chance[item]
        # rows of a group with the same cue are merged
        size = max(int(shift[-1]), 1)
        keys, merged_row = np.unique(group[item] * size + cue, return_inverse=True)
        is_single = np.bincount(group, minlength=n_groups) == 1
        variance = chance * (1 - chance)
        deviation = _sum_by_index(merged_row, hit - chance, keys.size)
        weight = _sum_by_index(merged_row, variance, keys.size)
        mirror_weight = _sum_by_index(merged_row, (1 / chance - 1) * variance, keys.size)
        owner = keys // size
        # the items of a group rotate together, so the square of their sum does not change
        expected = np.where(is_single[owner], weight, deviation**2)
        start = np.searchsorted(owner, np.arange(n_groups + 1))
        return cls(
            group, np.bincount(group, minlength=n_groups), start, keys % size,
            deviation, expected, weight, mirror_weight, order,
        )  # fmt: skip

    def cue_sums(self) -> Floats:
        """Return D, V and W of every cue, a row each."""
        parts = (self.deviation, self.expected, self.weight)
        return np.stack([_sum_by_index(self.cue, part, self.order.size) for part in parts])

    def find_balanced(self) -> NDArray[np.bool_]:
        """Return which groups are balanced: each of their cues is right as often as by chance."""
        owner = np.repeat(np.arange(self.size.size), np.diff(self.start))
        telling = np.bincount(owner, np.abs(self.deviation) > 1e-9, self.size.size)
        return np.asarray(telling == 0)


def _sum_by_index(index: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(index, values, size).astype(np.float64)


class GreedySearch:
    """A search that removes or mirrors groups, and the excess strength that remains."""

    def __init__(self, contributions: GroupContributions, weights: dict[int, float]) -> None:
        """Prepare a search; `weights` are the weights of excess strength by the order of cues."""
        self.contributions = contributions
        self.worth = np.array([weights.get(int(order), 0.0) for order in contributions.order])
        self.by_cue = sort_rows_by(contributions.cue, contributions.order.size)
        self.owner = np.repeat(np.arange(contributions.size.size), np.diff(contributions.start))
        self.sums = contributions.cue_sums()

    def total_excess(self) -> float:
        """Return the weighted excess strength of all cues."""
        deviation, expected, weight = self.sums
        cue_excess = np.divide(
            deviation**2 - expected, weight, np.zeros_like(deviation), where=weight > 1e-9
        )
        return float((self.worth * cue_excess).sum())

    def mirror_groups(self, candidates: Ints, hold_at_chance: bool) -> Ints:
        """Mirror groups, best first, and return their order.

        The search stops when there is no excess; with `hold_at_chance` it mirrors all groups, in an
        order that keeps the excess near zero: cues that are wrong too often also tell the answers.
        """
        min_excess = -np.inf if hold_at_chance else 0
        return self._run_greedy(
            self._mirror_change(), candidates, min_excess, candidates.size, hold_at_chance
        )

    def take_out(self, candidates: Ints, min_excess: float, max_groups: int) -> Ints:
        """Remove groups, best first, until the excess is at most `min_excess`; return them."""
        return self._run_greedy(self._removal_change(), candidates, min_excess, max_groups)

    def put_back(self, candidates: Ints) -> Ints:
        """Put all candidates back, best first, and return their order."""
        deviation, expected, weight = self._removal_change()
        return self._run_greedy(
            (-deviation, -expected, -weight), candidates, -np.inf, candidates.size
        )

    def remove_all(self, groups: Ints) -> None:
        """Remove groups without searching for an order."""
        self._apply_change(groups, self._removal_change())

    def mirror_all(self, groups: Ints) -> None:
        """Mirror groups without searching for an order."""
        self._apply_change(groups, self._mirror_change())

    def _removal_change(self) -> tuple[Floats, Floats, Floats]:
        parts = self.contributions
        return -parts.deviation, -parts.expected, -parts.weight

    def _mirror_change(self) -> tuple[Floats, Floats, Floats]:
        parts = self.contributions
        return -parts.deviation, -parts.expected, parts.mirror_weight

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


@compile_function()
def _greedy_order(  # type: ignore[no-untyped-def]
    start, cue, change, owner, by_cue, first, worth, size, sums, alive, bounds, order
):
    """Move the group that lowers the excess most for its size, repeatedly; return how many.

    With `hold_at_chance`, move the group that brings the excess closest to zero.
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
            rows = by_cue[first[c] : first[c + 1]]
            _add_drops(gain, -1.0, c, rows, owner, alive, change, worth, sums)
            sums[:, c] += change[:, row]
            _add_drops(gain, 1.0, c, rows, owner, alive, change, worth, sums)
    return n


@njit(inline="always")
def _add_drops(gain, sign, c, rows, owner, alive, change, worth, sums):  # type: ignore[no-untyped-def]
    """Add what a cue contributes to the gain of each remaining group, or subtract it."""
    for row in rows:
        if alive[owner[row]]:
            gain[owner[row]] += sign * _excess_drop(c, row, change, worth, sums)


@njit(inline="always")
def _excess_drop(c, row, change, worth, sums):  # type: ignore[no-untyped-def]
    """Return by how much the excess of a cue falls when a row is changed."""
    deviation, expected, weight = sums[0, c], sums[1, c], sums[2, c]
    return _cue_excess(worth[c], deviation, expected, weight) - _cue_excess(
        worth[c], deviation + change[0, row], expected + change[1, row], weight + change[2, row]
    )
