"""Exact distribution of the sum of n1 items drawn from N, for items with few integer values.

The number of ways to draw c items of each value is a product of binomial coefficients. Binomial
probabilities at n1/N have the same product up to a factor, and neither over- nor underflow.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

from .binomial import Floats

Integers = NDArray[np.int64]
SumDistribution = tuple[Integers, Floats, str]  # sums, their weights, how exact they are

MAX_ADDITIONS = 5e8  # additions; beyond that the Fourier transform is faster
MAX_TERMS = 2e8  # terms of the transform; beyond that Monte Carlo is faster
BLOCK = 2**20  # terms computed at a time
LOG_TAIL = math.log(1e17)  # the transform's window misses less than 1e-17 of the distribution


def sum_distribution(x: Integers, n1: int) -> SumDistribution | None:
    """Return the distribution of the sum of n1 of these items; None if it would take too long."""
    if 2 * n1 > x.size:  # draw the smaller set instead; this sum follows from the total
        distribution = sum_distribution(x, x.size - n1)
        return distribution and (int(x.sum()) - distribution[0], *distribution[1:])
    values, counts = np.unique(x, return_counts=True)
    commonest = int(np.argmax(counts))
    # the commonest value is not tabulated: it fills up what the other values leave
    base = int(values[commonest])
    shifts = np.delete(values, commonest) - base
    sizes, n_commonest = np.delete(counts, commonest), int(counts[commonest])
    for method in (_hypergeometric_sums, _tabulate_sums, _fourier_sums):
        distribution = method(shifts, sizes, n_commonest, n1)
        if distribution is not None:
            sums, weights, exactness = distribution
            return sums + n1 * base, weights, exactness
    return None


def _hypergeometric_sums(
    shifts: Integers, sizes: Integers, n_commonest: int, n1: int
) -> SumDistribution | None:
    """Return the hypergeometric distribution, which applies to items with two values."""
    if shifts.size > 1:
        return None
    shift, size = (int(shifts[0]), int(sizes[0])) if shifts.size else (0, 0)
    dealt = np.arange(size + 1)
    weights = binomial_pmf(size, n1 / (size + n_commonest)) * _closing_weights(
        n_commonest, n1, size + n_commonest
    )(dealt)
    return dealt * shift, weights, "exact"


def _tabulate_sums(
    shifts: Integers, sizes: Integers, n_commonest: int, n1: int
) -> SumDistribution | None:
    """Tabulate the number of items drawn and their sum, adding one value at a time."""
    order = np.argsort(sizes)
    n = int(sizes.sum()) + n_commonest
    # at most n1 items are drawn, so no sum exceeds n1 times the extreme value
    max_counts = np.minimum(sizes, n1)
    low = max(int(np.minimum(0, shifts * max_counts).sum()), n1 * min(0, int(shifts.min())))
    high = min(int(np.maximum(0, shifts * max_counts).sum()), n1 * max(0, int(shifts.max())))
    kernels = [binomial_pmf(int(sizes[index]), n1 / n)[: n1 + 1] for index in order]
    rows = min(int(sizes.sum()), n1) + 1
    if sum(kernel.size for kernel in kernels) * rows * (high - low + 1) > MAX_ADDITIONS:
        return None
    table = np.zeros((1, high - low + 1))
    table[0, -low] = 1.0
    for index, kernel in zip(order, kernels, strict=True):
        table = _add_value(table, int(shifts[index]), kernel)[:rows]
    weights = _closing_weights(n_commonest, n1, n)(np.arange(table.shape[0])) @ table
    return np.arange(low, high + 1), weights, "exact"


def _add_value(table: Floats, shift: int, weights: Floats) -> Floats:
    """Extend the table by the items of one more value."""
    rows, columns = table.shape
    extended = np.zeros((rows + weights.size - 1, columns))
    for count in np.flatnonzero(weights):
        offset = int(count) * shift
        source = table[:, max(0, -offset) : columns - max(0, offset)]
        target = extended[count : count + rows, max(0, offset) : columns + min(0, offset)]
        target += weights[count] * source
    return extended


def _fourier_sums(
    shifts: Integers, sizes: Integers, n_commonest: int, n1: int
) -> SumDistribution | None:
    """Compute the distribution from its characteristic function, where it has any weight.

    The rounding error is about 1e-13, so smaller p-values cannot be distinguished.
    """
    n = int(sizes.sum()) + n_commonest
    p = n1 / n
    rows = _window_size(n * p * (1 - p), 1, n)
    max_reach = int((np.abs(shifts) * sizes).sum())
    variance = float((np.square(shifts) * sizes).sum()) * p * (1 - p)
    columns = _window_size(variance, int(np.abs(shifts).max()), max_reach)
    half = columns // 2 + 1
    if rows * half * (shifts.size + 1) > MAX_TERMS:
        return None
    item_angles = 2 * np.pi * np.arange(rows)[:, None] / rows
    inverse = np.exp(-1j * item_angles[:, 0] * n1) / rows
    spectrum = np.empty(half, np.complex128)
    step = max(1, BLOCK // rows)
    for start in range(0, half, step):
        sum_angles = 2 * np.pi * np.arange(start, min(start + step, half))[None, :] / columns
        term = (1 - p + p * np.exp(1j * item_angles)) ** n_commonest * np.ones_like(sum_angles)
        for shift, size in zip(shifts.tolist(), sizes.tolist(), strict=True):
            term *= (1 - p + p * np.exp(1j * (item_angles + shift * sum_angles))) ** size
        spectrum[start : start + step] = inverse @ term
    weights = np.fft.irfft(spectrum.conj(), columns).clip(0)
    centre = round(n1 * float((shifts * sizes).sum()) / n)
    outcomes = np.arange(centre - columns // 2, centre - columns // 2 + columns)
    return outcomes, weights[outcomes % columns], "exact to 1e-12"


def _window_size(variance: float, largest: int, limit: int) -> int:
    """Return how many cells the transform needs so that aliasing is negligible (Bernstein's bound).

    The sum has this variance, and none of its independent terms exceeds `largest`.
    """
    half = math.sqrt(2 * variance * LOG_TAIL) + 2 / 3 * largest * LOG_TAIL
    return min(limit, 2 * math.ceil(half)) + 2


def _closing_weights(n_commonest: int, n1: int, n: int) -> Callable[[Integers], Floats]:
    """Return a function that weights the items still to be drawn from the commonest value."""
    weights = binomial_pmf(n_commonest, n1 / n)

    def weights_for(dealt: Integers) -> Floats:
        remaining = n1 - dealt
        inside = (remaining >= 0) & (remaining <= n_commonest)
        return np.where(inside, weights[np.clip(remaining, 0, n_commonest)], 0.0)

    return weights_for


def binomial_pmf(n: int, p: float) -> Floats:
    """Return the binomial probabilities of 0 to n successes."""
    k = np.arange(n + 1)
    log = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, p) + xlog1py(n - k, -p)
    return np.asarray(np.exp(log))
