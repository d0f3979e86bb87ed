"""Groups of items: number them, count them, and assign them to folds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


def group_numbers(groups: Sequence[str | None]) -> NDArray[np.int64]:
    """Return the group number of each item; an item without a group is a group of its own."""
    return _number_groups(tuple(groups))


@lru_cache(maxsize=4)  # a probe computes many intervals over the same groups
def _number_groups(groups: tuple[str | None, ...]) -> NDArray[np.int64]:
    number_of: dict[str | int, int] = {}
    keys = (i if group is None else group for i, group in enumerate(groups))
    numbers = np.array([number_of.setdefault(key, len(number_of)) for key in keys], np.int64)
    numbers.flags.writeable = False  # others get the same array
    return numbers


def group_count(groups: Sequence[str | None]) -> int:
    """Count the groups; an item without a group is a group of its own."""
    return len(set(groups) - {None}) + list(groups).count(None)


def assign_folds(groups: Sequence[str | None], k: int, seed: int) -> NDArray[np.int64]:
    """Return the fold of each item: whole groups, folds of similar size, drawn by the seed."""
    group_index = group_numbers(groups)
    order = np.random.default_rng(seed).permutation(int(group_index.max()) + 1)
    return order[group_index] % k
