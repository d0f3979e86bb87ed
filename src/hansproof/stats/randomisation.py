"""Randomisation tests (Noreen 1989), with an exact p wherever the scores lie on a lattice.

Two sets of items (Easy against Hard): the labels are permuted over all items.
Two systems on the same items: the scores of an item (or group of items) are swapped or not.
With t the observed statistic and t_r its value under randomisation r of R,

    p = P(t_r >= t)  exactly, by convolution;  or by Monte Carlo  p = (1 + #{t_r >= t}) / (R + 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._exact_sums import binomial_pmf, sum_distribution
from .binomial import Floats
from .groups import group_numbers
from .lattice import to_lattice

Alternative = Literal["two", "greater", "less"]

ROUNDS = 100_000
MIN_P = {"exact": 1e-300, "exact to 1e-12": 1e-12}  # p is never 0
MAX_LATTICE_STEPS = 10**8  # size of the lattice; beyond that Monte Carlo is faster
SEED_MODULUS = 2**63  # seeds are taken modulo this


@dataclass(frozen=True, slots=True)
class RandomisationResult:
    """A difference of means and its p-value."""

    difference: float
    p: float
    method: str  # "exact", "exact to 1e-12", or Monte Carlo with the number of rounds


def two_sample_randomisation_test(
    first: ArrayLike,
    second: ArrayLike,
    alternative: Alternative = "two",
    rounds: int = ROUNDS,
    seed: int = 0,
    exact: bool = True,
) -> RandomisationResult:
    """Test whether two sets of items differ in their mean score, by permuting their labels."""
    a, b = as_finite_array(first), as_finite_array(second)
    pooled = np.concatenate([a, b])
    if not a.size or not b.size:
        return RandomisationResult(float("nan"), 1.0, "exact")
    difference = float(a.mean() - b.mean())
    integer_scores = to_lattice(pooled) if exact else None
    if integer_scores is not None:
        exact_result = _exact_two_sample_p(integer_scores[0], a.size, alternative)
        if exact_result is not None:
            return RandomisationResult(difference, *exact_result)
    from ._kernels import count_extreme_deals

    # compared with slack: the same items summed in another order may round differently
    slack = 1e-12 * float(np.abs(pooled).sum())
    expected = float(pooled.sum()) * a.size / pooled.size
    threshold = _signed_distance(float(a.sum()) - expected, alternative) - slack
    n_dealt, complement = min(a.size, b.size), a.size > b.size
    hits = count_extreme_deals(
        pooled,
        n_dealt,
        complement,
        rounds,
        seed % SEED_MODULUS,
        expected,
        threshold,
        SIGN[alternative],
    )
    return RandomisationResult(
        difference, (1 + hits) / (rounds + 1), f"Monte Carlo, {rounds} rounds"
    )


def paired_randomisation_test(
    first: ArrayLike,
    second: ArrayLike,
    groups: Sequence[str | None] | None = None,
    alternative: Alternative = "two",
    rounds: int = ROUNDS,
    seed: int = 0,
    exact: bool = True,
) -> RandomisationResult:
    """Test whether two systems differ on the same items, by swapping scores group by group."""
    d = as_finite_array(first) - as_finite_array(second)
    if not d.size:
        return RandomisationResult(float("nan"), 1.0, "exact")
    group_index = np.arange(d.size) if groups is None else group_numbers(groups)
    integer_scores = to_lattice(d) if exact else None
    if integer_scores is not None and np.abs(integer_scores[0]).sum() <= MAX_LATTICE_STEPS:
        group_sums = np.zeros(int(group_index.max()) + 1, np.int64)
        np.add.at(group_sums, group_index, integer_scores[0])
        return RandomisationResult(
            float(d.mean()), _exact_paired_p(group_sums, alternative), "exact"
        )
    from ._kernels import count_extreme_swaps

    sums = np.bincount(group_index, d)
    threshold = _signed_distance(float(sums.sum()), alternative) - 1e-12 * float(np.abs(sums).sum())
    hits = count_extreme_swaps(sums, rounds, seed % SEED_MODULUS, threshold, SIGN[alternative])
    return RandomisationResult(
        float(d.mean()), (1 + hits) / (rounds + 1), f"Monte Carlo, {rounds} rounds"
    )


SIGN = {"two": 0, "greater": 1, "less": -1}


def as_finite_array(scores: ArrayLike) -> Floats:
    """Return scores as an array; raise ValueError unless all are finite."""
    values = np.asarray(scores, np.float64)
    if not np.isfinite(values).all():
        raise ValueError("scores must be finite numbers")
    return values


def _signed_distance(value: float, alternative: Alternative) -> float:
    return abs(value) if alternative == "two" else value * SIGN[alternative]


def _is_as_extreme(
    values: NDArray[np.int64], observed: int, alternative: Alternative
) -> NDArray[np.bool_]:
    """Mark the outcomes at least as extreme as the observed one; integers, so ties are exact."""
    if alternative == "two":
        return np.asarray(np.abs(values) >= abs(observed))
    return values * SIGN[alternative] >= observed * SIGN[alternative]


def _exact_two_sample_p(
    x: NDArray[np.int64], n1: int, alternative: Alternative
) -> tuple[float, str] | None:
    """Return the p of the first n1 items' sum and its exactness; None if it takes too long."""
    distribution = sum_distribution(x, n1)
    if distribution is None:
        return None
    sums, weights, exactness = distribution
    n, total = x.size, int(x.sum())
    is_extreme = _is_as_extreme(
        n * sums - n1 * total, n * int(x[:n1].sum()) - n1 * total, alternative
    )
    return _tail_share(weights, is_extreme, exactness), exactness


def _tail_share(weights: Floats, is_extreme: NDArray[np.bool_], exactness: str) -> float:
    return max(min(1.0, float(weights[is_extreme].sum() / weights.sum())), MIN_P[exactness])


def _exact_paired_p(d: NDArray[np.int64], alternative: Alternative) -> float:
    """Return the exact p of the sum of differences under random signs."""
    sizes, counts = np.unique(np.abs(d[d != 0]), return_counts=True)
    total = int(np.abs(d).sum())
    distribution = np.zeros(total + 1)  # weight of each sum of the differences with a plus sign
    distribution[0] = 1.0
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        convolved = np.zeros_like(distribution)
        weights = binomial_pmf(count, 0.5)
        for plus in np.flatnonzero(weights):
            offset = int(plus) * size
            convolved[offset:] += weights[plus] * distribution[: distribution.size - offset]
        distribution = convolved
    outcomes = 2 * np.arange(total + 1) - total
    is_extreme = _is_as_extreme(outcomes, int(d.sum()), alternative)
    return _tail_share(distribution, is_extreme, "exact")
