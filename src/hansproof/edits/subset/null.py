"""Take out as few groups as possible until all cues together say no more than chance.

Greedy: the group whose loss takes most strength from the cues goes first. Local search: more are
taken out, then as many as the band has room for are put back, the harmless ones first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from ...cues.band import Band
from ...cues.counts import Counts
from ...cues.strength import GONE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ROUNDS = 8  # of the local search, at most
MORE = 4  # one in so many of those that are out is taken out in addition


def taken_out(band: Band) -> Ints:
    """The groups to leave out."""
    every = np.arange(band.shares.size.size)
    out = every[:0]
    while above := band.above(band.states(out, GONE)):  # to lower one order may lift another
        search = band.search(above)
        search.without(out)
        rest = np.setdiff1d(every, out)
        order = np.concatenate([out, search.take_out(rest, 0, rest.size)])
        if order.size == out.size:  # nothing more to gain by this measure: half of the rest
            order = np.concatenate([out, rest[: -(-rest.size // 2)]])
        out = order[: band.enough(order, GONE)]
    for _ in range(ROUNDS if out.size else 0):
        nearest = [band.nearest(band.states(out, GONE))]
        ways = [out, _again(band, out, nearest), _again(band, out, ())]
        best = min(ways, key=lambda way: int(band.shares.size[way].sum()))
        if best is out:
            break
        out = best
    return out


def _again(band: Band, out: Ints, orders: Collection[int]) -> Ints:
    """Another way to be inside, from this one: some more out, then back what may be."""
    search = band.search(orders)
    search.without(out)
    every = np.arange(band.shares.size.size)
    rest = np.setdiff1d(every, out)
    more = search.take_out(rest, -np.inf, max(1, out.size // MORE))
    back = search.put_back(np.concatenate([out, more]))
    # the last to be put back are the first to be left out
    left_out = back[::-1]
    return left_out[: band.enough(left_out, GONE)]


def fewest_out(band: Band) -> int:
    """No choice of items leaves out fewer than this, if the band gets no wider as items go.

    Strength beyond chance is what is above the null's mean; the band may fall with the mean.

    Whatever else is out, one item takes a bounded part of the strength beyond chance with it: the
    more items are out, the more lopsided its cues can have become. So many items are needed that
    the largest of these parts add up to what the strength is above its band.
    """
    return max(_fewest(band, at) for at in range(len(band.counts)))


def _fewest(band: Band, at: int) -> int:
    strength, counts = band.start[at], band.counts[at]
    needed = strength.value - strength.null_high

    def could(out: int) -> bool:
        return float(np.sort(_most(band, counts, out))[::-1][:out].sum()) >= needed

    return bisect_left(range(len(band.items)), True, key=could)


def _most(band: Band, counts: Counts, out: int) -> Floats:
    """What each item can take with it at most, when no more than so many are out."""
    item = band.where.item[counts.text]
    n = counts.applicability[counts.ngram].astype(np.float64)
    hits = counts.hits[counts.ngram].astype(np.float64)
    chance = band.where.chance[item]
    right = band.where.right[counts.text] == 1
    # seen from the side that a row is on: hits of a right choice, misses of a wrong one
    own, c = np.where(right, hits, n - hits), np.where(right, chance, 1 - chance)
    left = np.maximum(n - out, 1)
    off = np.minimum((own - c * n + c * out) / left, 1 - c)  # per item that has the cue
    size = np.where(n - out < 2, 2, left)
    off = np.where(n - out < 2, 1 - c, off)
    part = (2 * off * size * (1 - c) - off**2 * size - (1 - c) ** 2) / ((size - 1) * c * (1 - c))
    part = np.clip(part, 0, (1 - c) / c)
    # alone, it takes all of its cue, and what chance gives on average, with it
    part = np.where(n < 2, np.maximum((1 - c) / c - 1, 0.0), part)
    return np.bincount(item, part, len(band.items)).astype(np.float64)
