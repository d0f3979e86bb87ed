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
from .counts import Counts, Layout, incidence, rows_by
from .strength import fewest

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shares:
    """What every group adds to D, V and W of its cues: rows sorted by group."""

    group: Ints  # of every item
    size: Ints  # items of every group
    start: Ints  # where each group's rows begin
    cue: Ints
    off: Floats  # its share of D
    expected: Floats  # of V
    weight: Floats  # of W
    mirrored: Floats  # what W gains when the group is mirrored
    order: Ints  # of every cue: number of its words

    @classmethod
    def of(cls, items: Items, counts: Sequence[Counts], where: Layout) -> Shares:
        """The shares of all groups; an item without a group is one by itself."""
        group = group_numbers([item.group for item in items])
        groups = int(group.max(initial=-1)) + 1
        parts = [incidence([one], where, fewest(where)) for one in counts]
        order = np.repeat([one.order for one in counts], [part.cues for part in parts])
        shift = np.cumsum([0, *(part.cues for part in parts)])
        cue = np.concatenate([part.cue + shift[at] for at, part in enumerate(parts)])
        item = np.concatenate([part.item for part in parts])
        hit = np.concatenate([part.hit for part in parts])
        chance = where.chance[item]
        # rows of a group that share a cue become one
        size = max(int(shift[-1]), 1)
        keys, place = np.unique(group[item] * size + cue, return_inverse=True)
        alone = np.bincount(group, minlength=groups) == 1
        variance = chance * (1 - chance)
        off = _added(place, hit - chance, keys.size)
        weight = _added(place, variance, keys.size)
        gained = _added(place, (1 / chance - 1) * variance, keys.size)
        owner = keys // size
        # items that turn together keep what they add up to, whichever way they turn
        expected = np.where(alone[owner], weight, off**2)
        start = np.searchsorted(owner, np.arange(groups + 1))
        return cls(
            group, np.bincount(group, minlength=groups), start, keys % size,
            off, expected, weight, gained, order,
        )  # fmt: skip

    def sums(self) -> Floats:
        """D, V and W of every cue, a row each."""
        parts = (self.off, self.expected, self.weight)
        return np.stack([_added(self.cue, part, self.order.size) for part in parts])

    def balanced(self) -> NDArray[np.bool_]:
        """The groups that say nothing: each of their cues is right as often as chance has it."""
        owner = np.repeat(np.arange(self.size.size), np.diff(self.start))
        telling = np.bincount(owner, np.abs(self.off) > 1e-9, self.size.size)
        return np.asarray(telling == 0)


def _added(place: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(place, values, size).astype(np.float64)


class Search:
    """Groups taken out or mirrored, and what is left of the strength beyond chance."""

    def __init__(self, shares: Shares, weights: dict[int, float]) -> None:
        """`weights`: what strength beyond chance counts, by the order of the cue."""
        self.shares = shares
        self.worth = np.array([weights.get(int(order), 0.0) for order in shares.order])
        self.by_cue = rows_by(shares.cue, shares.order.size)
        self.owner = np.repeat(np.arange(shares.size.size), np.diff(shares.start))
        self.sums = shares.sums()

    def excess(self) -> float:
        """What all cues together are beyond chance."""
        off, expected, weight = self.sums
        beyond = np.divide(off**2 - expected, weight, np.zeros_like(off), where=weight > 1e-9)
        return float((self.worth * beyond).sum())

    def mirror(self, candidates: Ints, hold: bool) -> Ints:
        """Groups in the order in which they are best mirrored, and mirrored when it returns.

        Until nothing is beyond chance; with `hold` all of them, so that nothing gets beyond chance
        nor below it: what is left would tell the answers by being wrong too often.
        """
        least = -np.inf if hold else 0
        return self._moved(self._mirroring(), candidates, least, candidates.size, hold)

    def take_out(self, candidates: Ints, least: float, most: int) -> Ints:
        """Groups to take out, best first, until what is beyond chance is no more than `least`."""
        return self._moved(self._taking(), candidates, least, most)

    def put_back(self, candidates: Ints) -> Ints:
        """All candidates in the order in which they are best put back; done when it returns."""
        off, expected, weight = self._taking()
        return self._moved((-off, -expected, -weight), candidates, -np.inf, candidates.size)

    def without(self, taken: Ints) -> None:
        """Take these out, without looking for an order."""
        self._add(taken, self._taking())

    def with_mirrored(self, groups: Ints) -> None:
        """Mirror these, without looking for an order."""
        self._add(groups, self._mirroring())

    def _taking(self) -> tuple[Floats, Floats, Floats]:
        return -self.shares.off, -self.shares.expected, -self.shares.weight

    def _mirroring(self) -> tuple[Floats, Floats, Floats]:
        return -self.shares.off, -self.shares.expected, self.shares.mirrored

    def _add(self, groups: Ints, change: tuple[Floats, ...]) -> None:
        rows = np.flatnonzero(np.isin(self.owner, groups))
        for sums, part in zip(self.sums, change, strict=True):
            np.add.at(sums, self.shares.cue[rows], part[rows])

    def _moved(
        self, change: tuple[Floats, ...], candidates: Ints, least: float, most: int,
        hold: bool = False,
    ) -> Ints:  # fmt: skip
        alive = np.zeros(self.shares.size.size, np.bool_)
        alive[candidates] = True
        size = self.shares.size.astype(np.float64)
        rows = (self.shares.start, self.shares.cue, np.stack(change), self.owner, *self.by_cue)
        order = np.empty(min(most, candidates.size), np.int64)
        bounds = (self.excess(), least, hold)
        n = _greedy(*rows, self.worth, size, self.sums, alive, bounds, order)
        return order[:n]


@njit(inline="always")
def _beyond(worth, off, expected, weight):  # type: ignore[no-untyped-def]
    return worth * (off * off - expected) / weight if weight > 1e-9 else 0.0


@njit(cache=True)
def _greedy(start, cue, change, owner, by_cue, first, worth, size, sums, alive, bounds, order):  # type: ignore[no-untyped-def]
    """Move the group that lowers the excess most, for its size, again and again; how many.

    With `hold`, the one that brings it nearest to nothing, from above or from below.
    """
    excess, least, hold = bounds
    gain = np.zeros(size.size)
    for group in range(size.size):
        if alive[group]:
            for row in range(start[group], start[group + 1]):
                gain[group] += _drop(cue[row], row, change, worth, sums)
    n = 0
    while n < order.size and (excess > least or least < 0):
        best, value = -1, -np.inf
        for group in range(size.size):
            if alive[group]:
                here = -abs(excess - gain[group]) if hold else gain[group] / size[group]
                if here > value:
                    best, value = group, here
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
            for at in range(first[c], first[c + 1]):
                other = by_cue[at]
                if alive[owner[other]]:
                    gain[owner[other]] -= _drop(c, other, change, worth, sums)
            sums[:, c] += change[:, row]
            for at in range(first[c], first[c + 1]):
                other = by_cue[at]
                if alive[owner[other]]:
                    gain[owner[other]] += _drop(c, other, change, worth, sums)
    return n


@njit(inline="always")
def _drop(c, row, change, worth, sums):  # type: ignore[no-untyped-def]
    """By how much the excess of a cue falls when this row changes it."""
    off, expected, weight = sums[0, c], sums[1, c], sums[2, c]
    return _beyond(worth[c], off, expected, weight) - _beyond(
        worth[c], off + change[0, row], expected + change[1, row], weight + change[2, row]
    )
