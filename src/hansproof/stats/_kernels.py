"""Compiled loops of the Monte Carlo randomisation tests.

Random numbers come from SplitMix64, two of 32 bits from each 64-bit word.
"""

from __future__ import annotations

import numpy as np

from .._infra.compilation import compile_function

LOW_BITS = np.uint64(0xFFFFFFFF)
HALF_WORD = np.uint64(32)


@compile_function(inline="always")
def _splitmix64(state):  # type: ignore[no-untyped-def]
    """Return the random word of a SplitMix64 state (Steele, Lea and Flood 2014)."""
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compile_function(inline="always")
def _is_extreme(deviation, threshold, sign):  # type: ignore[no-untyped-def]
    """Whether a deviation reaches the threshold on the side of `sign`; 0 means either side."""
    return abs(deviation) >= threshold if sign == 0 else deviation * sign >= threshold


SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)


@compile_function(nogil=True)
def count_extreme_deals(x, n_dealt, complement, rounds, seed, expected, threshold, sign):  # type: ignore[no-untyped-def]
    """Count the random deals whose sum is at least as extreme as the threshold.

    Only the smaller set of items is dealt. `complement` says that it is the second set; the sum of
    the first follows from the total. Each round of the Fisher-Yates shuffle continues from the
    order that the last one left.
    """
    x = x.copy()
    n, total, hits = x.size, x.sum(), 0
    state = _splitmix64(np.uint64(seed) + SPLITMIX_STEP)
    for _ in range(rounds):
        dealt_sum, word, halves = 0.0, np.uint64(0), 0
        for i in range(n_dealt):
            span = np.uint64(n - i)
            while True:  # Lemire 2019: rejects the draws that would bias the numbers
                if halves == 0:
                    state += SPLITMIX_STEP
                    word = _splitmix64(state)
                    halves = 2
                product = (word & LOW_BITS) * span
                word >>= HALF_WORD
                halves -= 1
                remainder = product & LOW_BITS
                if remainder >= span or remainder >= (np.uint64(2**32) - span) % span:
                    break
            j = i + np.int64(product >> HALF_WORD)
            value = x[j]
            x[j] = x[i]
            x[i] = value
            dealt_sum += value
        hits += _is_extreme(
            (total - dealt_sum if complement else dealt_sum) - expected, threshold, sign
        )
    return hits


@compile_function(nogil=True)
def count_extreme_swaps(d, rounds, seed, threshold, sign):  # type: ignore[no-untyped-def]
    """Count the random signs of the differences whose sum reaches the threshold."""
    n, total, hits = d.size, d.sum(), 0
    state = _splitmix64(np.uint64(seed) + SPLITMIX_STEP)
    for _ in range(rounds):
        plus_sum, word = 0.0, np.uint64(0)
        for i in range(n):
            if i % 64 == 0:
                state += SPLITMIX_STEP
                word = _splitmix64(state)
            if word & np.uint64(1):
                plus_sum += d[i]
            word >>= np.uint64(1)
        hits += _is_extreme(2 * plus_sum - total, threshold, sign)
    return hits


@compile_function(nogil=True)
def count_extreme_patterns(flat, starts, rounds, seed, expected, threshold):  # type: ignore[no-untyped-def]
    """Count the deals of label patterns among groups of one size whose sum reaches the threshold.

    `flat` contains a square table for each group size: the sum of each group under each pattern.
    """
    order = np.arange(starts[-1] - starts[0])
    state, hits = _splitmix64(np.uint64(seed) + SPLITMIX_STEP), 0
    for _ in range(rounds):
        total, base = 0.0, 0
        for t in range(starts.size - 1):
            n = starts[t + 1] - starts[t]
            table_order = order[starts[t] : starts[t + 1]]
            for i in range(n):
                state += SPLITMIX_STEP
                # 32 bits for a span of groups: the bias is below n / 2**32
                j = i + np.int64(((_splitmix64(state) & LOW_BITS) * np.uint64(n - i)) >> HALF_WORD)
                value = table_order[j]
                table_order[j] = table_order[i]
                table_order[i] = value
                total += flat[base + i * n + value - starts[t]]
            base += n * n
        hits += _is_extreme(total - expected, threshold, 0)
    return hits


@compile_function(nogil=True)
def sum_drawn_rows(rows, drawn):  # type: ignore[no-untyped-def]
    """Return for each row of `drawn` the sum of the rows with these numbers, in their order."""
    out = np.zeros((drawn.shape[0], rows.shape[1]))
    for r in range(drawn.shape[0]):
        for number in drawn[r]:
            for column in range(rows.shape[1]):
                out[r, column] += rows[number, column]
    return out
