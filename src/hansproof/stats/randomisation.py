"""Approximate randomisation (Noreen 1989), and the exact p wherever the scores lie on a lattice.

Two sets of items (Easy against Hard): the labels are dealt anew over all items, sizes kept.
Two systems on the same items: what the two said of an item (of a group of items) is swapped or not.
Either way, with t the statistic as seen and t_r under randomisation r of R,

    p = P(t_r >= t)  exactly, by convolution;  or by Monte Carlo  p = (1 + #{t_r >= t}) / (R + 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._deals import binomial, dealt_sums
from .binomial import Floats
from .groups import group_numbers
from .lattice import lattice

Sided = Literal["two", "greater", "less"]

ROUNDS = 100_000
LEAST = {"exact": 1e-300, "exact to 1e-12": 1e-12}  # what was seen is possible: p is never 0
TOO_MANY = 10**8  # steps of the lattice between the ends, beyond which drawing is faster
STREAMS = 2**63  # seeds are taken modulo this


@dataclass(frozen=True, slots=True)
class Tested:
    """A difference of means and its p."""

    difference: float
    p: float
    method: str  # exact, exact to so much, or Monte Carlo with its number of rounds


def between_items(
    first: ArrayLike,
    second: ArrayLike,
    sided: Sided = "two",
    rounds: int = ROUNDS,
    seed: int = 0,
    exact: bool = True,
) -> Tested:
    """Do scores of two sets of items differ? Their labels are dealt anew."""
    a, b = numbers(first), numbers(second)
    both = np.concatenate([a, b])
    if not a.size or not b.size:
        return Tested(float("nan"), 1.0, "exact")
    difference = float(a.mean() - b.mean())
    found = lattice(both) if exact else None
    if found is not None:
        known = _exact_deal(found[0], a.size, sided)
        if known is not None:
            return Tested(difference, *known)
    from ._compiled import deals

    # sums are compared with slack: the same items added up in another order round apart
    slack, expected = 1e-12 * float(np.abs(both).sum()), float(both.sum()) * a.size / both.size
    bar = _distance(float(a.sum()) - expected, sided) - slack
    few, other = min(a.size, b.size), a.size > b.size
    hits = deals(both, few, other, rounds, seed % STREAMS, expected, bar, SIGN[sided])
    return Tested(difference, (1 + hits) / (rounds + 1), f"Monte Carlo, {rounds} rounds")


def between_systems(
    one: ArrayLike,
    other: ArrayLike,
    groups: Sequence[str | None] | None = None,
    sided: Sided = "two",
    rounds: int = ROUNDS,
    seed: int = 0,
    exact: bool = True,
) -> Tested:
    """Do two systems differ on the same items? Their scores are swapped, a group at a time."""
    d = numbers(one) - numbers(other)
    if not d.size:
        return Tested(float("nan"), 1.0, "exact")
    number = np.arange(d.size) if groups is None else group_numbers(groups)
    found = lattice(d) if exact else None
    if found is not None and np.abs(found[0]).sum() <= TOO_MANY:
        whole = np.zeros(int(number.max()) + 1, np.int64)
        np.add.at(whole, number, found[0])
        return Tested(float(d.mean()), _exact_swaps(whole, sided), "exact")
    from ._compiled import swaps

    sums = np.bincount(number, d)
    bar = _distance(float(sums.sum()), sided) - 1e-12 * float(np.abs(sums).sum())
    hits = swaps(sums, rounds, seed % STREAMS, bar, SIGN[sided])
    return Tested(float(d.mean()), (1 + hits) / (rounds + 1), f"Monte Carlo, {rounds} rounds")


SIGN = {"two": 0, "greater": 1, "less": -1}


def numbers(scores: ArrayLike) -> Floats:
    """Scores as an array; one that is no number would pass for the smallest difference."""
    found = np.asarray(scores, np.float64)
    if not np.isfinite(found).all():
        raise ValueError("scores must be finite numbers")
    return found


def _distance(value: float, sided: Sided) -> float:
    return abs(value) if sided == "two" else value * SIGN[sided]


def _beyond(values: NDArray[np.int64], seen: int, sided: Sided) -> NDArray[np.bool_]:
    """Which outcomes are at least as far out as the one seen: integers, so ties are ties."""
    if sided == "two":
        return np.asarray(np.abs(values) >= abs(seen))
    return values * SIGN[sided] >= seen * SIGN[sided]


def _exact_deal(x: NDArray[np.int64], n1: int, sided: Sided) -> tuple[float, str] | None:
    """P of the sum of n1 items of all N, and how exact it is; None where it would take too long."""
    found = dealt_sums(x, n1)
    if found is None:
        return None
    sums, weights, how = found
    n, total = x.size, int(x.sum())
    far = _beyond(n * sums - n1 * total, n * int(x[:n1].sum()) - n1 * total, sided)
    return _share(weights, far, how), how


def _share(weights: Floats, far: NDArray[np.bool_], how: str) -> float:
    return max(min(1.0, float(weights[far].sum() / weights.sum())), LEAST[how])


def _exact_swaps(d: NDArray[np.int64], sided: Sided) -> float:
    """P of the sum of differences, each with either sign."""
    sizes, counts = np.unique(np.abs(d[d != 0]), return_counts=True)
    total = int(np.abs(d).sum())
    row = np.zeros(total + 1)  # the sum of those that kept a plus
    row[0] = 1.0
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        grown = np.zeros_like(row)
        weights = binomial(count, 0.5)
        for plus in np.flatnonzero(weights):
            move = int(plus) * size
            grown[move:] += weights[plus] * row[: row.size - move]
        row = grown
    outcome = 2 * np.arange(total + 1) - total
    far = _beyond(outcome, int(d.sum()), sided)
    return _share(row, far, "exact")
