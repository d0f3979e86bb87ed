"""An index made ready for the scanner: its hashes filed, with a bitmap before them."""

from __future__ import annotations

import numpy as np

from .index import Index
from .kernel import Grams, filed
from .near import SHINGLE

ROOM = 2  # slots for each hash
SPARSE = 4  # hashes for each number of 64 bits in the bitmap, at most
LEAST = 1 << 10


def grams_of(index: Index) -> Grams:
    """What the scanner looks for."""
    held = index.arrays
    count = len(index)
    bits = np.zeros(_power(max(count // SPARSE, LEAST)), np.uint64)
    slots = np.zeros(_power(max(ROOM * count, LEAST)), np.uint32)
    filed(held["hashes"], bits, slots)
    lengths = held["lengths"]
    sizes = [member.n for member in index.head.members] + [SHINGLE] * index.head.near
    shortest, longest = min(sizes), max(sizes)
    return Grams(
        bits, slots, held["hashes"], held["starts"], held["sizes"], lengths, held["text"],
        shortest, longest,
    )  # fmt: skip


def _power(least: int) -> int:
    return 1 << (least - 1).bit_length()
