"""Some of the items, drawn by a seed: where all would take too long."""

from __future__ import annotations

import numpy as np

from .types import Items


def sample_items(items: Items, n: int, seed: int) -> Items:
    """So many of them, in their order; all where there are no more, or `most` is 0."""
    if not n or n >= len(items):
        return items
    order = np.random.default_rng(seed).permutation(len(items))
    return tuple(items[index] for index in sorted(order[:n].tolist()))
