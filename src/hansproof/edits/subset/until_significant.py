"""Removes as few groups as possible until no cue is significant after correction.

Greedy: the group that weakens the significant cues most is removed first. Local search: groups that
can be put back are put back, and removing one more group in place of several is tried.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..._infra.progress import track
from ...cues.significant_cues import CueCounter, CueFlags, SignificantCues
from ...stats import binomial_p, binomial_sf, min_attainable_p

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_TRIES = 12  # groups tried in place of several


def groups_to_remove(cues: SignificantCues, group_sizes: Ints) -> Ints:
    """Select the groups to remove; `group_sizes` are the numbers of items."""
    removed = np.zeros(group_sizes.size, np.bool_)
    tally = cues.make_counter()
    while tally.any_significant():
        best = int(np.argmax(_relief_per_item(cues, tally.compute_flags(), removed, group_sizes)))
        removed[best] = True
        tally.change_group(best, -1)
    _put_back(tally, removed, group_sizes)
    _exchange_groups(cues, tally, removed, group_sizes)
    return np.flatnonzero(removed)


def _relief_per_item(
    cues: SignificantCues, flags: CueFlags, removed: NDArray[np.bool_], group_sizes: Ints
) -> Floats:
    """Return how much the removal of each remaining group weakens significant cues, per item."""
    return np.where(removed, -np.inf, cues.relief_by_group(flags) / group_sizes)


def _put_back(tally: CueCounter, removed: NDArray[np.bool_], group_sizes: Ints) -> int:
    """Put back groups where possible, large ones first; return the number of items put back."""
    n_returned = 0
    removed_groups = np.flatnonzero(removed)
    for group in removed_groups[np.argsort(-group_sizes[removed_groups], kind="stable")]:
        tally.change_group(int(group), 1)
        if tally.any_significant():
            tally.change_group(int(group), -1)
        else:
            removed[group] = False
            n_returned += int(group_sizes[group])
    return n_returned


def _exchange_groups(
    cues: SignificantCues, tally: CueCounter, removed: NDArray[np.bool_], group_sizes: Ints
) -> None:
    """Try to remove one more group where more items than it has can then be put back."""
    # the cues that are significant in all items
    binding = cues.make_counter().compute_flags()
    tried = np.zeros(group_sizes.size, np.bool_)
    for _ in track(
        range(MAX_TRIES if removed.any() else 0), MAX_TRIES, "looking for a larger subset"
    ):
        relief = np.where(tried, -np.inf, _relief_per_item(cues, binding, removed, group_sizes))
        candidate = int(np.argmax(relief))
        if not relief[candidate] > 0:
            break
        tried[candidate] = True
        removed_before = removed.copy()
        removed[candidate] = True
        tally.change_group(candidate, -1)
        if (
            tally.any_significant()
            or _put_back(tally, removed, group_sizes) <= group_sizes[candidate]
        ):
            for group in np.flatnonzero(removed != removed_before):
                tally.change_group(int(group), 1 if removed[group] else -1)
            removed[:] = removed_before


def min_items_removed(cues: SignificantCues, group_sizes: Ints) -> int:
    """Return a lower bound on the number of items to remove.

    A cue with p at most level / (number of tests) is significant whatever the other cues are, and
    fewer items mean fewer tests. So each such cue must lose a number of its supporting items. The
    bound is the fewest items that achieve this for all cues, if fractions of items were allowed (a
    linear programme).
    """
    flags = cues.make_counter().compute_flags()
    smallest, largest = _chance_range(cues)
    # if items differ in their number of choices, a cue's chance depends on the remaining ones
    n_tests = int((min_attainable_p(flags.applicability, smallest) <= cues.level).sum())
    threshold = cues.level / max(n_tests, 1)
    certain = np.flatnonzero(
        flags.is_significant
        & (flags.p <= threshold)
        & (flags.is_above_chance | (smallest == largest))
    )
    if not certain.size:
        return int(flags.is_significant.any())
    required = np.array(
        [_required_losses(flags, float(largest[k]), int(k), threshold) for k in certain]
    )
    return math.ceil(_solve_relaxation(cues, flags, certain, required, group_sizes) - 1e-6)


def _chance_range(cues: SignificantCues) -> tuple[Floats, Floats]:
    """Return the lowest and the highest chance among the items of each cue."""
    smallest, largest = np.ones(len(cues.names)), np.zeros(len(cues.names))
    np.minimum.at(smallest, cues.cue, cues.chance)
    np.maximum.at(largest, cues.cue, cues.chance)
    return smallest, largest


def _required_losses(flags: CueFlags, chance: float, cue: int, threshold: float) -> int:
    """Return how many hits a telling cue, or misses an eliminating one, must lose at least.

    Losing other items only makes a cue more telling. For a telling cue the two-sided p is at most
    twice the tail on its side; an eliminating cue is tested with any number of hits lost as well.
    """
    n, hits = int(flags.applicability[cue]), int(flags.hits[cue])
    if flags.is_above_chance[cue]:
        n_lost = np.arange(hits + 1)
        return int(np.argmax(2 * binomial_sf(hits - n_lost, n - n_lost, chance) > threshold))
    for lost in range(n - hits + 1):
        hits_left = np.arange(hits + 1)
        if (binomial_p(hits_left, n - hits - lost + hits_left, chance) > threshold).any():
            return lost
    return n - hits


def _solve_relaxation(
    cues: SignificantCues, flags: CueFlags, certain: Ints, required: Ints, group_sizes: Ints
) -> float:
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    row_of_cue = np.full(len(cues.names), -1, np.int64)
    row_of_cue[certain] = np.arange(certain.size)
    supporting = (row_of_cue[cues.cue] >= 0) & (cues.hit == flags.is_above_chance[cues.cue])
    rows, columns = row_of_cue[cues.cue[supporting]], cues.group[supporting]
    matrix = coo_array(
        (np.ones(rows.size), (rows, columns)), shape=(certain.size, group_sizes.size)
    ).tocsr()
    solution = linprog(
        group_sizes.astype(float), A_ub=-matrix, b_ub=-required.astype(float), bounds=(0, 1)
    )
    assert solution.success, solution.message  # all groups out is always a solution
    return float(solution.fun)
