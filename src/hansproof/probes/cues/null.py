"""What the answers would look like if the choices said nothing about them.

Every item's answer is turned by a random number of places, the same for all items of a group:
for two choices a sign flip, and what is balanced inside a group stays balanced.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...stats import group_numbers
from ...types import Items
from .counts import Layout, answers


def turned_answers(
    items: Items, where: Layout, randomisations: int, seed: int
) -> Iterator[NDArray[np.int64]]:
    """One array of answers, by item, for each randomisation."""
    answer = answers(items)
    sizes = np.diff(where.first)
    group = group_numbers([item.group for item in items])
    rng = np.random.default_rng(seed)
    for _ in range(randomisations):
        turn = rng.integers(0, 2**31, int(group.max()) + 1)[group]
        yield (answer + turn) % sizes
