"""Items that belong together: numbered, counted, never parted by a fold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def group_numbers(groups: Sequence[str | None]) -> NDArray[np.int64]:
    """A number for each group; an item without one is a group of its own."""
    number_of: dict[str | int, int] = {}
    keys = (i if group is None else group for i, group in enumerate(groups))
    return np.array([number_of.setdefault(key, len(number_of)) for key in keys], np.int64)


def group_count(groups: Sequence[str | None]) -> int:
    """How many groups there are; an item without one is a group of its own."""
    return len(set(groups) - {None}) + list(groups).count(None)


def assign_folds(groups: Sequence[str | None], k: int, seed: int) -> NDArray[np.int64]:
    """A fold for each item, groups kept together, folds of like size, by seed."""
    group_index = group_numbers(groups)
    order = np.random.default_rng(seed).permutation(int(group_index.max()) + 1)
    return order[group_index] % k
