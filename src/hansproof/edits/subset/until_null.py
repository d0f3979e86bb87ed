"""Take out as few groups as possible until all cues together say no more than chance.

Greedy: the group whose loss takes most strength from the cues goes first. Local search: more are
taken out, then as many as the band has room for are put back, the harmless ones first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ...cues.counts import CueCounts
from ...cues.null_band import NullBand
from ...cues.strength import REMOVED

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_ROUNDS = 8  # of the local search, at most
EXTRA_DIVISOR = 4  # one in so many of those that are out is taken out in addition


def groups_to_remove(band: NullBand) -> Ints:
    """The groups to leave out."""
    all_groups = np.arange(band.shares.size.size)
    removed = all_groups[:0]
    while above := band.orders_above(
        band.make_states(removed, REMOVED)
    ):  # to lower one order may lift another
        search = band.make_search(above)
        search.remove_all(removed)
        remaining = np.setdiff1d(all_groups, removed)
        order = np.concatenate([removed, search.take_out(remaining, 0, remaining.size)])
        if order.size == removed.size:  # nothing more to gain by this measure: half of the rest
            order = np.concatenate([removed, remaining[: -(-remaining.size // 2)]])
        removed = order[: band.groups_needed(order, REMOVED)]
    for _ in range(MAX_ROUNDS if removed.size else 0):
        nearest = [band.nearest_order(band.make_states(removed, REMOVED))]
        candidates = [
            removed,
            _improve_selection(band, removed, nearest),
            _improve_selection(band, removed, ()),
        ]
        best = min(candidates, key=lambda candidate: int(band.shares.size[candidate].sum()))
        if best is removed:
            break
        removed = best
    return removed


def _improve_selection(band: NullBand, removed: Ints, orders: Collection[int]) -> Ints:
    """Another way to be inside, from this one: some more out, then back what may be."""
    search = band.make_search(orders)
    search.remove_all(removed)
    all_groups = np.arange(band.shares.size.size)
    remaining = np.setdiff1d(all_groups, removed)
    extra = search.take_out(remaining, -np.inf, max(1, removed.size // EXTRA_DIVISOR))
    return_order = search.put_back(np.concatenate([removed, extra]))
    # the last to be put back are the first to be left out
    removal_order = return_order[::-1]
    return removal_order[: band.groups_needed(removal_order, REMOVED)]


def min_items_removed(band: NullBand) -> int:
    """No choice of items leaves out fewer than this, if the band gets no wider as items go.

    Strength beyond chance is what is above the null's mean; the band may fall with the mean.

    Whatever else is out, one item takes a bounded part of the strength beyond chance with it: the
    more items are out, the more lopsided its cues can have become. So many items are needed that
    the largest of these parts add up to what the strength is above its band.
    """
    return max(_min_removed_for_order(band, order_index) for order_index in range(len(band.counts)))


def _min_removed_for_order(band: NullBand, order_index: int) -> int:
    strength, counts = band.initial[order_index], band.counts[order_index]
    needed = strength.value - strength.null_high

    def is_enough(n_removed: int) -> bool:
        return (
            float(np.sort(_max_strength_loss(band, counts, n_removed))[::-1][:n_removed].sum())
            >= needed
        )

    return bisect_left(range(len(band.items)), True, key=is_enough)


def _max_strength_loss(band: NullBand, counts: CueCounts, n_removed: int) -> Floats:
    """What each item can take with it at most, when no more than so many are out."""
    item = band.layout.item[counts.text]
    n = counts.applicability[counts.ngram].astype(np.float64)
    hits = counts.hits[counts.ngram].astype(np.float64)
    chance = band.layout.chance[item]
    right = band.layout.is_answer[counts.text] == 1
    # seen from the side that a row is on: hits of a right choice, misses of a wrong one
    same_side_hits, c = np.where(right, hits, n - hits), np.where(right, chance, 1 - chance)
    n_left = np.maximum(n - n_removed, 1)
    excess = np.minimum(
        (same_side_hits - c * n + c * n_removed) / n_left, 1 - c
    )  # per item that has the cue
    size = np.where(n - n_removed < 2, 2, n_left)
    excess = np.where(n - n_removed < 2, 1 - c, excess)
    item_part = (2 * excess * size * (1 - c) - excess**2 * size - (1 - c) ** 2) / (
        (size - 1) * c * (1 - c)
    )
    item_part = np.clip(item_part, 0, (1 - c) / c)
    # alone, it takes all of its cue, and what chance gives on average, with it
    item_part = np.where(n < 2, np.maximum((1 - c) / c - 1, 0.0), item_part)
    return np.bincount(item, item_part, len(band.items)).astype(np.float64)
