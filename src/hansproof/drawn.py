"""Some of the items, drawn by a seed: where all would take too long."""

from __future__ import annotations

import numpy as np

from .types import Items


def drawn(items: Items, most: int, seed: int) -> Items:
    """So many of them, in their order; all where there are no more, or `most` is 0."""
    if not most or most >= len(items):
        return items
    order = np.random.default_rng(seed).permutation(len(items))
    return tuple(items[at] for at in sorted(order[:most].tolist()))
