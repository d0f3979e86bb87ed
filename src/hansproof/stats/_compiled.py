"""Randomisations by the million, compiled: two random numbers from one 64-bit word."""

from __future__ import annotations

import numpy as np
from numba import njit

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


@njit(cache=True, inline="always")
def _mixed(state):  # type: ignore[no-untyped-def]
    """SplitMix64 (Steele, Lea and Flood 2014): the word that belongs to a state."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, inline="always")
def _far(away, bar, sign):  # type: ignore[no-untyped-def]
    """Whether a sum is as far out as `bar`, to the side of `sign`; 0: to either."""
    return abs(away) >= bar if sign == 0 else away * sign >= bar


STEP = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True)
def deals(x, few, other, rounds, seed, expected, bar, sign):  # type: ignore[no-untyped-def]
    """How many of the deals are as far out as `bar`.

    Only the smaller set is dealt; `other` says that it is the second one, whose sum tells that of
    the first. A round of Fisher and Yates's shuffle may begin wherever the last one ended.
    """
    x = x.copy()
    n, total, hits = x.size, x.sum(), 0
    state = _mixed(np.uint64(seed) + STEP)
    for _ in range(rounds):
        dealt, word, halves = 0.0, np.uint64(0), 0
        for i in range(few):
            span = np.uint64(n - i)
            while True:  # Lemire 2019: below the threshold some numbers would come up more often
                if halves == 0:
                    state += STEP
                    word = _mixed(state)
                    halves = 2
                product = (word & LOW) * span
                word >>= HALF
                halves -= 1
                rest = product & LOW
                if rest >= span or rest >= (np.uint64(2**32) - span) % span:
                    break
            j = i + np.int64(product >> HALF)
            one = x[j]
            x[j] = x[i]
            x[i] = one
            dealt += one
        hits += _far((total - dealt if other else dealt) - expected, bar, sign)
    return hits


@njit(cache=True, nogil=True)
def swaps(d, rounds, seed, bar, sign):  # type: ignore[no-untyped-def]
    """How many random signs of the differences bring their sum as far out as `bar`."""
    n, total, hits = d.size, d.sum(), 0
    state = _mixed(np.uint64(seed) + STEP)
    for _ in range(rounds):
        plus, word = 0.0, np.uint64(0)
        for i in range(n):
            if i % 64 == 0:
                state += STEP
                word = _mixed(state)
            if word & np.uint64(1):
                plus += d[i]
            word >>= np.uint64(1)
        hits += _far(2 * plus - total, bar, sign)
    return hits


@njit(cache=True, nogil=True)
def pattern_deals(flat, starts, rounds, seed, expected, bar):  # type: ignore[no-untyped-def]
    """How many deals of patterns among the groups of each table are as far out as `bar`."""
    order = np.arange(starts[-1] - starts[0])
    state, hits = _mixed(np.uint64(seed) + STEP), 0
    for _ in range(rounds):
        total, base = 0.0, 0
        for t in range(starts.size - 1):
            n = starts[t + 1] - starts[t]
            mine = order[starts[t] : starts[t + 1]]
            for i in range(n):
                state += STEP
                # 32 bits for a span of groups: the bias is below n / 2**32
                j = i + np.int64(((_mixed(state) & LOW) * np.uint64(n - i)) >> HALF)
                one = mine[j]
                mine[j] = mine[i]
                mine[i] = one
                total += flat[base + i * n + one - starts[t]]
            base += n * n
        hits += _far(total - expected, bar, 0)
    return hits
