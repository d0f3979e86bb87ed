"""Counts by 64-bit key, in a hash table that grows: sorting all pairs of a corpus is far slower."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from .table import Ints, Keys

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits in disorder


@dataclass(slots=True)
class Pairs:
    """How often each key was added."""

    bits: int = 16  # there is room for two to the power of this
    used: int = 0
    keys: Keys = field(init=False)
    counts: Ints = field(init=False)  # nil where nothing is

    def __post_init__(self) -> None:
        self._empty()

    def add(self, keys: Keys) -> None:
        """Count every key once more."""
        self._add(keys, np.ones(len(keys), np.int64))

    def all(self) -> tuple[Keys, Ints]:
        """The keys, in no order, and their counts."""
        there = self.counts > 0
        return self.keys[there], self.counts[there]

    def _add(self, keys: Keys, amounts: Ints) -> None:
        done = 0
        while done < len(keys):
            done, self.used = _compiled()(
                keys, amounts, done, self.keys, self.counts, self.used, self.bits
            )
            if done < len(keys):
                self._grow()

    def _grow(self) -> None:
        held = self.all()
        self.bits, self.used = self.bits + 1, 0
        self._empty()
        self._add(*held)

    def _empty(self) -> None:
        self.keys = np.zeros(1 << self.bits, np.uint64)
        self.counts = np.zeros(1 << self.bits, np.int64)


@cache
def _compiled() -> Callable[..., Any]:
    from numba import njit

    return njit(cache=True)(_insert)  # type: ignore[no-any-return]


def _insert(keys, amounts, done, slots, counts, used, bits):  # type: ignore[no-untyped-def]
    """Add amounts from a key on, until all are done or the table is three quarters full."""
    room = slots.size
    shift = np.uint64(64 - bits)
    while done < keys.size and 4 * used < 3 * room:
        key = keys[done]
        at = np.int64((key * _SPREAD) >> shift)
        while counts[at] != 0 and slots[at] != key:
            at = (at + 1) & (room - 1)
        if counts[at] == 0:
            slots[at] = key
            used += 1
        counts[at] += amounts[done]
        done += 1
    return done, used
