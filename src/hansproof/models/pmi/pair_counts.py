"""Counts by 64-bit key in a growing hash table: sorting all pairs of a corpus is far slower."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from .table import Ints, Keys

_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd, with well mixed bits


@dataclass(slots=True)
class PairCounts:
    """How often each key was added."""

    bits: int = 16  # of the table's size, a power of two
    n_used: int = 0
    keys: Keys = field(init=False)
    counts: Ints = field(init=False)  # 0 in empty slots

    def __post_init__(self) -> None:
        self._clear()

    def add(self, keys: Keys) -> None:
        """Count every key once more."""
        self._add_amounts(keys, np.ones(len(keys), np.int64))

    def stored_counts(self) -> tuple[Keys, Ints]:
        """Return the keys, in no particular order, and their counts."""
        is_used = self.counts > 0
        return self.keys[is_used], self.counts[is_used]

    def _add_amounts(self, keys: Keys, amounts: Ints) -> None:
        n_added = 0
        while n_added < len(keys):
            n_added, self.n_used = _compile_insert()(
                keys, amounts, n_added, self.keys, self.counts, self.n_used, self.bits
            )
            if n_added < len(keys):
                self._grow()

    def _grow(self) -> None:
        stored = self.stored_counts()
        self.bits, self.n_used = self.bits + 1, 0
        self._clear()
        self._add_amounts(*stored)

    def _clear(self) -> None:
        self.keys = np.zeros(1 << self.bits, np.uint64)
        self.counts = np.zeros(1 << self.bits, np.int64)


@cache
def _compile_insert() -> Callable[..., Any]:
    from ..._infra.compilation import compile_function

    return compile_function()(_insert_keys)


def _insert_keys(keys, amounts, n_added, slots, counts, n_used, bits):  # type: ignore[no-untyped-def]
    """Add amounts from key `n_added` on, until all are added or the table is 3/4 full."""
    capacity = slots.size
    shift = np.uint64(64 - bits)
    while n_added < keys.size and 4 * n_used < 3 * capacity:
        key = keys[n_added]
        slot = np.int64((key * _HASH_FACTOR) >> shift)
        while counts[slot] != 0 and slots[slot] != key:
            slot = (slot + 1) & (capacity - 1)
        if counts[slot] == 0:
            slots[slot] = key
            n_used += 1
        counts[slot] += amounts[n_added]
        n_added += 1
    return n_added, n_used
