"""Builds the hash table of an index for the kernel, with a bitmap to skip most look-ups."""

from __future__ import annotations

import numpy as np

from ..index import NgramIndex
from ..shingles import SHINGLE_WORDS
from .kernel import NgramLookup, fill_lookup

SLOTS_PER_HASH = 2
HASHES_PER_WORD = 4  # at most, for each 64-bit word of the bitmap
MIN_SIZE = 1 << 10  # of both tables


def build_lookup(index: NgramIndex) -> NgramLookup:
    """Build the lookup of an index."""
    arrays = index.arrays
    count = len(index)
    bits = np.zeros(_next_power_of_two(max(count // HASHES_PER_WORD, MIN_SIZE)), np.uint64)
    slots = np.zeros(_next_power_of_two(max(SLOTS_PER_HASH * count, MIN_SIZE)), np.uint32)
    fill_lookup(arrays["hashes"], bits, slots)
    lengths = arrays["lengths"]
    sizes = [member.n for member in index.header.members]
    sizes += [SHINGLE_WORDS] * index.header.has_sketches
    shortest, longest = min(sizes), max(sizes)
    return NgramLookup(
        bits, slots, arrays["hashes"], arrays["starts"], arrays["sizes"], lengths, arrays["text"],
        shortest, longest,
    )  # fmt: skip


def _next_power_of_two(minimum: int) -> int:
    return 1 << (minimum - 1).bit_length()
