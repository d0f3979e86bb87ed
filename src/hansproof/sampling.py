"""Random samples of items, drawn by a seed."""

from __future__ import annotations

import numpy as np

from .types import Items


def sample_items(items: Items, n: int, seed: int) -> Items:
    """Draw n items and keep their order; return all if n is 0 or there are no more than n."""
    if not n or n >= len(items):
        return items
    order = np.random.default_rng(seed).permutation(len(items))
    return tuple(items[index] for index in sorted(order[:n].tolist()))
