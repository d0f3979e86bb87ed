"""Take out as few groups as possible until no cue is significant after correction.

Greedy: the group that weakens most of the significant cues goes first. Local search: whatever can
be put back is put back, and one more is tried in place of several.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...cues.flagged import Flagged, Flags, Tally
from ...progress import track
from ...stats import at_least, binomial_p, least_p

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TRIES = 12  # groups that are tried in place of several


def taken_out(cues: Flagged, size: Ints) -> Ints:
    """The groups to leave out; `size`: items of every group."""
    gone = np.zeros(size.size, np.bool_)
    tally = cues.counted()
    while tally.any():
        best = int(np.argmax(_relief(cues, tally.flags(), gone, size)))
        gone[best] = True
        tally.change(best, -1)
    _put_back(tally, gone, size)
    _exchange(cues, tally, gone, size)
    return np.flatnonzero(gone)


def _relief(cues: Flagged, flags: Flags, gone: NDArray[np.bool_], size: Ints) -> Floats:
    """What each group that is still in relieves the significant cues of, for its size."""
    return np.where(gone, -np.inf, cues.relief(flags) / size)


def _put_back(tally: Tally, gone: NDArray[np.bool_], size: Ints) -> int:
    """Put back what can be, large groups first; how many items that are."""
    back = 0
    out = np.flatnonzero(gone)
    for group in out[np.argsort(-size[out], kind="stable")]:
        tally.change(int(group), 1)
        if tally.any():
            tally.change(int(group), -1)
        else:
            gone[group] = False
            back += int(size[group])
    return back


def _exchange(cues: Flagged, tally: Tally, gone: NDArray[np.bool_], size: Ints) -> None:
    """Try one more group out, if more items than it has can then be put back."""
    # what keeps the others out: cues that are significant when all are in
    binding = cues.counted().flags()
    tried = np.zeros(size.size, np.bool_)
    for _ in track(range(TRIES if gone.any() else 0), TRIES, "looking for a larger subset"):
        relief = np.where(tried, -np.inf, _relief(cues, binding, gone, size))
        one = int(np.argmax(relief))
        if not relief[one] > 0:
            break
        tried[one] = True
        before = gone.copy()
        gone[one] = True
        tally.change(one, -1)
        if tally.any() or _put_back(tally, gone, size) <= size[one]:
            for group in np.flatnonzero(gone != before):
                tally.change(int(group), 1 if gone[group] else -1)
            gone[:] = before


def fewest_out(cues: Flagged, size: Ints) -> int:
    """No choice of groups leaves out fewer items than this.

    A cue whose p is at most level / (number of tests) is significant whatever the others are, and
    fewer items mean fewer tests. So each such cue must lose so many of the items that make it; the
    fewest items that do so for all cues at once, were parts of items allowed (a linear programme).
    """
    flags = cues.counted().flags()
    least, most = _chances(cues)
    # where items differ in their number of choices, a cue's chance depends on which are left
    tests = int((least_p(flags.applicability, least) <= cues.level).sum())
    bar = cues.level / max(tests, 1)
    sure = np.flatnonzero(flags.flagged & (flags.p <= bar) & (flags.above | (least == most)))
    if not sure.size:
        return int(flags.flagged.any())
    needs = np.array([_must_lose(flags, float(most[k]), int(k), bar) for k in sure])
    return math.ceil(_relaxed(cues, flags, sure, needs, size) - 1e-6)


def _chances(cues: Flagged) -> tuple[Floats, Floats]:
    """The least and the largest chance among the items that have each cue."""
    least, most = np.ones(len(cues.names)), np.zeros(len(cues.names))
    np.minimum.at(least, cues.cue, cues.chance)
    np.maximum.at(most, cues.cue, cues.chance)
    return least, most


def _must_lose(flags: Flags, chance: float, cue: int, bar: float) -> int:
    """How many hits a telling cue must lose, or misses an eliminating one, to pass the bar.

    To lose others only makes it more telling. Two-sided p is at most twice the tail on its own side
    for a telling cue; an eliminating one is tried with any number of hits lost as well.
    """
    n, hits = int(flags.applicability[cue]), int(flags.hits[cue])
    if flags.above[cue]:
        fewer = np.arange(hits + 1)
        return int(np.argmax(2 * at_least(hits - fewer, n - fewer, chance) > bar))
    for lost in range(n - hits + 1):
        left = np.arange(hits + 1)
        if (binomial_p(left, n - hits - lost + left, chance) > bar).any():
            return lost
    return n - hits


def _relaxed(cues: Flagged, flags: Flags, sure: Ints, needs: Ints, size: Ints) -> float:
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    place = np.full(len(cues.names), -1, np.int64)
    place[sure] = np.arange(sure.size)
    making = (place[cues.cue] >= 0) & (cues.hit == flags.above[cues.cue])
    rows, columns = place[cues.cue[making]], cues.group[making]
    matrix = coo_array((np.ones(rows.size), (rows, columns)), shape=(sure.size, size.size)).tocsr()
    found = linprog(size.astype(float), A_ub=-matrix, b_ub=-needs.astype(float), bounds=(0, 1))
    assert found.success, found.message  # all groups out is always a solution
    return float(found.fun)
