"""Sums of n1 items dealt out of N, exactly, where the items have few values on a lattice.

The number of ways to deal c items of each value is a product of binomials. Binomial probabilities
at n1/N have the same product up to a factor, and neither over- nor underflow.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlog1py, xlogy

from .binomial import Floats

Whole = NDArray[np.int64]
Distribution = tuple[Whole, Floats, str]  # sums, their weights, how exact they are

COSTLY = 5e8  # additions beyond which the Fourier transform is faster
TOO_COSTLY = 2e8  # terms of the transform beyond which drawing is
BLOCK = 2**20  # of these at a time
OUTSIDE = math.log(1e17)  # of the transform's window lies less than one part in that many


def dealt_sums(x: Whole, n1: int) -> Distribution | None:
    """The distribution of the sum of n1 of these items; None where that would take too long."""
    if 2 * n1 > x.size:  # the others are fewer, and their sum tells this one
        found = dealt_sums(x, x.size - n1)
        return found and (int(x.sum()) - found[0], *found[1:])
    values, counts = np.unique(x, return_counts=True)
    most = int(np.argmax(counts))
    # the commonest value needs no room: what was not dealt of the others is of it
    base = int(values[most])
    shifts = np.delete(values, most) - base
    sizes, rest = np.delete(counts, most), int(counts[most])
    for way in (_one_value, _table, _transform):
        found = way(shifts, sizes, rest, n1)
        if found is not None:
            sums, weights, how = found
            return sums + n1 * base, weights, how
    return None


def _one_value(shifts: Whole, sizes: Whole, rest: int, n1: int) -> Distribution | None:
    """Right or wrong: the hypergeometric distribution, of any size."""
    if shifts.size > 1:
        return None
    shift, size = (int(shifts[0]), int(sizes[0])) if shifts.size else (0, 0)
    dealt = np.arange(size + 1)
    weights = binomial(size, n1 / (size + rest)) * _closing(rest, n1, size + rest)(dealt)
    return dealt * shift, weights, "exact"


def _table(shifts: Whole, sizes: Whole, rest: int, n1: int) -> Distribution | None:
    """A table over items dealt and their sum, grown by one value at a time."""
    order = np.argsort(sizes)
    n = int(sizes.sum()) + rest
    # no more than n1 can be dealt, and no sum lies beyond n1 of the farthest value
    at_most = np.minimum(sizes, n1)
    low = max(int(np.minimum(0, shifts * at_most).sum()), n1 * min(0, int(shifts.min())))
    high = min(int(np.maximum(0, shifts * at_most).sum()), n1 * max(0, int(shifts.max())))
    kernels = [binomial(int(sizes[at]), n1 / n)[: n1 + 1] for at in order]
    rows = min(int(sizes.sum()), n1) + 1
    if sum(kernel.size for kernel in kernels) * rows * (high - low + 1) > COSTLY:
        return None
    table = np.zeros((1, high - low + 1))
    table[0, -low] = 1.0
    for at, kernel in zip(order, kernels, strict=True):
        table = _with_value(table, int(shifts[at]), kernel)[:rows]
    weights = _closing(rest, n1, n)(np.arange(table.shape[0])) @ table
    return np.arange(low, high + 1), weights, "exact"


def _with_value(table: Floats, shift: int, weights: Floats) -> Floats:
    """The table after some of the items of one more value may have been dealt."""
    rows, columns = table.shape
    grown = np.zeros((rows + weights.size - 1, columns))
    for count in np.flatnonzero(weights):
        move = int(count) * shift
        source = table[:, max(0, -move) : columns - max(0, move)]
        target = grown[count : count + rows, max(0, move) : columns + min(0, move)]
        target += weights[count] * source
    return grown


def _transform(shifts: Whole, sizes: Whole, rest: int, n1: int) -> Distribution | None:
    """The same from the characteristic function, on as much of (items, sum) as has any weight.

    Additions of this kind leave an error near 1e-13, so smaller p-values cannot be told apart.
    """
    n = int(sizes.sum()) + rest
    p = n1 / n
    rows = _window(n * p * (1 - p), 1, n)
    reach = int((np.abs(shifts) * sizes).sum())
    variance = float((np.square(shifts) * sizes).sum()) * p * (1 - p)
    columns = _window(variance, int(np.abs(shifts).max()), reach)
    half = columns // 2 + 1
    if rows * half * (shifts.size + 1) > TOO_COSTLY:
        return None
    items = 2 * np.pi * np.arange(rows)[:, None] / rows
    back = np.exp(-1j * items[:, 0] * n1) / rows
    spectrum = np.empty(half, np.complex128)
    step = max(1, BLOCK // rows)
    for start in range(0, half, step):
        sums = 2 * np.pi * np.arange(start, min(start + step, half))[None, :] / columns
        term = (1 - p + p * np.exp(1j * items)) ** rest * np.ones_like(sums)
        for shift, size in zip(shifts.tolist(), sizes.tolist(), strict=True):
            term *= (1 - p + p * np.exp(1j * (items + shift * sums))) ** size
        spectrum[start : start + step] = back @ term
    weights = np.fft.irfft(spectrum.conj(), columns).clip(0)
    centre = round(n1 * float((shifts * sizes).sum()) / n)
    outcome = np.arange(centre - columns // 2, centre - columns // 2 + columns)
    return outcome, weights[outcome % columns], "exact to 1e-12"


def _window(variance: float, largest: int, most: int) -> int:
    """Cells enough that what is folded over from outside does not matter: Bernstein's bound.

    For sums of independent terms of that variance, none of which strays further than `largest`.
    """
    half = math.sqrt(2 * variance * OUTSIDE) + 2 / 3 * largest * OUTSIDE
    return min(most, 2 * math.ceil(half)) + 2


def _closing(rest: int, n1: int, n: int) -> Callable[[Whole], Floats]:
    """The weight of dealing what is still missing from the commonest value."""
    weights = binomial(rest, n1 / n)

    def closing(dealt: Whole) -> Floats:
        left = n1 - dealt
        inside = (left >= 0) & (left <= rest)
        return np.where(inside, weights[np.clip(left, 0, rest)], 0.0)

    return closing


def binomial(n: int, p: float) -> Floats:
    """Binomial probabilities of 0..n."""
    k = np.arange(n + 1)
    log = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, p) + xlog1py(n - k, -p)
    return np.asarray(np.exp(log))
