"""Removes as few groups as possible until all cues together are no stronger than chance.

Greedy: the group whose removal weakens the cues most is removed first. Local search: more groups
are removed, then as many as the null band allows are put back, harmless ones first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ...cues.incidence import Incidence
from ...cues.null_band import NullBand
from ...cues.strength import REMOVED

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_ROUNDS = 8  # of the local search, at most
EXTRA_DIVISOR = 4  # the local search removes a quarter more groups


def groups_to_remove(band: NullBand) -> Ints:
    """Select the groups to remove."""
    all_groups = np.arange(band.shares.size.size)
    removed = all_groups[:0]
    while above := band.orders_above(
        band.make_states(removed, REMOVED)
    ):  # lowering one order may raise another
        search = band.make_search(above)
        search.remove_all(removed)
        remaining = np.setdiff1d(all_groups, removed)
        order = np.concatenate([removed, search.take_out(remaining, 0, remaining.size)])
        if order.size == removed.size:  # no further gain by this measure: remove half of the rest
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
    """Try a better selection: remove some more groups, then put back as many as possible."""
    search = band.make_search(orders)
    search.remove_all(removed)
    all_groups = np.arange(band.shares.size.size)
    remaining = np.setdiff1d(all_groups, removed)
    extra = search.take_out(remaining, -np.inf, max(1, removed.size // EXTRA_DIVISOR))
    return_order = search.put_back(np.concatenate([removed, extra]))
    # the last ones put back are removed first
    removal_order = return_order[::-1]
    return removal_order[: band.groups_needed(removal_order, REMOVED)]


def min_items_removed(band: NullBand) -> int:
    """Return a lower bound on the items to remove, if the band gets no wider as items are removed.

    Strength beyond chance is the strength above the mean of the null; the band may fall with it.
    The removal of one item lowers this strength by a bounded amount, whatever else is removed; the
    bound grows with the number of removed items, since cues can become more lopsided. Enough items
    must be removed that the largest of these amounts add up to the excess over the band.
    """
    return max(_min_removed_for_order(band, index) for index in range(len(band.cue_sets)))


def _min_removed_for_order(band: NullBand, order_index: int) -> int:
    strength, cues = band.initial[order_index], band.cue_sets[order_index].incidence
    needed = strength.value - strength.null_high

    def is_enough(n_removed: int) -> bool:
        return (
            float(np.sort(_max_strength_loss(band, cues, n_removed))[::-1][:n_removed].sum())
            >= needed
        )

    return bisect_left(range(len(band.items)), True, key=is_enough)


def _max_strength_loss(band: NullBand, cues: Incidence, n_removed: int) -> Floats:
    """Return how much strength each item can remove at most, if up to `n_removed` are removed."""
    item, right = cues.item, cues.hit
    n = np.bincount(cues.cue, minlength=cues.cues)[cues.cue].astype(np.float64)
    hits = np.bincount(cues.cue, right, cues.cues)[cues.cue]
    chance = band.layout.chance[item]
    # counted on the side of the row: hits for a right choice, misses for a wrong one
    same_side_hits, c = np.where(right, hits, n - hits), np.where(right, chance, 1 - chance)
    n_left = np.maximum(n - n_removed, 1)
    excess = np.minimum(
        (same_side_hits - c * n + c * n_removed) / n_left, 1 - c
    )  # per item with the cue
    size = np.where(n - n_removed < 2, 2, n_left)
    excess = np.where(n - n_removed < 2, 1 - c, excess)
    item_part = (2 * excess * size * (1 - c) - excess**2 * size - (1 - c) ** 2) / (
        (size - 1) * c * (1 - c)
    )
    item_part = np.clip(item_part, 0, (1 - c) / c)
    # the only item with a cue removes all of it, and the mean of the null
    item_part = np.where(n < 2, np.maximum((1 - c) / c - 1, 0.0), item_part)
    return np.bincount(item, item_part, len(band.items)).astype(np.float64)
