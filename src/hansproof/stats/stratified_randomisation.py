"""Randomisation test for two sets of items within strata, such as the place of the right choice.

Labels are exchanged only between items of the same stratum, so a difference that goes with the
strata is no difference here. The statistic is the sum of the scores of the first set, as in the
test of Cochran, Mantel and Haenszel; a stratum whose items all have the same label has no weight.
p is exact wherever the scores lie on a lattice, by convolution of the strata. Groups of items, such
as mirrored pairs, exchange their patterns of labels with groups of the same strata (Monte Carlo).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._exact_sums import sum_distribution
from .binomial import Floats
from .grouped_randomisation import deal_patterns
from .groups import group_numbers
from .lattice import to_lattice
from .randomisation import MIN_P, ROUNDS, RandomisationResult, as_finite_array

MAX_PRODUCTS = 5e8  # of a convolution; beyond that Monte Carlo is faster
MAX_DRAWN = 2**22  # numbers that Monte Carlo draws at a time

Integers = NDArray[np.int64]


def stratified_randomisation_test(
    scores: ArrayLike,
    in_first: ArrayLike,
    strata: Sequence[Hashable],
    groups: Sequence[str | None],
    rounds: int = ROUNDS,
    seed: int = 0,
) -> RandomisationResult:
    """Test whether items marked by `in_first` score differently from others of their stratum.

    The difference is the mean of the differences within strata, each weighted by n1 * n2 / n. It is
    NaN, and p is 1, where no stratum has items of both sets: nothing can be compared.
    """
    x, mask = as_finite_array(scores), np.asarray(in_first, bool)
    blocks = _find_blocks(strata, groups)
    weight = sum(_weight(mask[block]) for block in blocks)
    if not weight:
        return RandomisationResult(math.nan, 1.0, "not comparable")
    deviation = sum(_deviation(x[block], mask[block]) for block in blocks)
    difference = float(deviation / weight)
    if any(block.shape[1] > 1 for block in blocks):
        tables = [x[block] @ mask[block].T.astype(np.float64) for block in blocks]
        p = deal_patterns(tables, float(x[mask].sum()), float(np.abs(x).sum()), rounds, seed)
        return RandomisationResult(difference, p, f"Monte Carlo by groups, {rounds} rounds")
    lone_blocks = [block.ravel() for block in blocks]
    exact_result = _exact_p(x, mask, lone_blocks)
    if exact_result is not None:
        return RandomisationResult(difference, *exact_result)
    p = _drawn_p(x, mask, lone_blocks, rounds, seed)
    return RandomisationResult(difference, p, f"Monte Carlo, {rounds} rounds")


def _find_blocks(strata: Sequence[Hashable], groups: Sequence[str | None]) -> list[Integers]:
    """Return the groups that may exchange labels: their items, a row per group, by stratum."""
    numbers: dict[Hashable, int] = {}
    codes = np.array([numbers.setdefault(stratum, len(numbers)) for stratum in strata], np.int64)
    group_index = group_numbers(groups)
    order = np.lexsort((codes, group_index))
    starts = np.flatnonzero(np.diff(group_index[order])) + 1
    rows_by_strata: dict[tuple[int, ...], list[Integers]] = defaultdict(list)
    for row in np.split(order, starts):
        rows_by_strata[tuple(codes[row].tolist())].append(row)
    return [np.array(rows) for rows in rows_by_strata.values()]


def _weight(mask: NDArray[np.bool_]) -> float:
    """Return the sum of n1 * n2 / n over the columns of a block."""
    shares = mask.mean(axis=0)
    return float(len(mask) * (shares * (1 - shares)).sum())


def _deviation(x: Floats, mask: NDArray[np.bool_]) -> float:
    """Return how far the sum of the marked scores of a block is from its expectation."""
    return float((x * mask).sum() - (x.sum(axis=0) * mask.mean(axis=0)).sum())


def _exact_p(
    x: Floats, mask: NDArray[np.bool_], strata: Sequence[Integers]
) -> tuple[float, str] | None:
    """Return the two-sided p and its exactness; None if it takes too long."""
    lattice = to_lattice(x)
    if lattice is None:
        return None
    start, pmf, exactness = 0, np.ones(1), "exact"
    expected = Fraction(0)
    for items in strata:
        values, n_first = lattice[0][items], int(mask[items].sum())
        expected += Fraction(n_first * int(values.sum()), values.size)
        distribution = _sum_pmf(values, n_first)
        if distribution is None or pmf.size * distribution[1].size > MAX_PRODUCTS:
            return None
        start, pmf = start + distribution[0], np.convolve(pmf, distribution[1])
        exactness = distribution[2] if exactness == "exact" else exactness
    observed = int(lattice[0][mask].sum())
    # integers and fractions, so that equal distances are equal
    low, high = sorted((Fraction(observed), 2 * expected - observed))
    sums = start + np.arange(pmf.size)
    is_extreme = (sums <= math.floor(low)) | (sums >= math.ceil(high))
    p = float(pmf[is_extreme].sum() / pmf.sum())
    return max(min(1.0, p), MIN_P[exactness]), exactness


def _sum_pmf(values: Integers, n_first: int) -> tuple[int, Floats, str] | None:
    """Return the smallest sum of `n_first` of the values, the weights from it on, and exactness."""
    if n_first in (0, values.size):
        return int(values[:n_first].sum()), np.ones(1), "exact"
    distribution = sum_distribution(values, n_first)
    if distribution is None:
        return None
    sums, weights, exactness = distribution
    likely = weights > 0
    start = int(sums[likely].min())
    pmf = np.zeros(int(sums[likely].max()) - start + 1)
    pmf[sums[likely] - start] = weights[likely] / weights.sum()
    return start, pmf, exactness


def _drawn_p(
    x: Floats, mask: NDArray[np.bool_], strata: Sequence[Integers], rounds: int, seed: int
) -> float:
    rng = np.random.default_rng(seed)
    deviations = np.zeros(rounds)
    for items in strata:
        n_first = int(mask[items].sum())
        expected = float(x[items].sum()) * n_first / items.size
        deviations += _draw_sums(x[items], n_first, rounds, rng) - expected
    observed = sum(_deviation(x[items, None], mask[items, None]) for items in strata)
    slack = 1e-12 * float(np.abs(x).sum())  # the same items summed in another order
    hits = int((np.abs(deviations) >= abs(observed) - slack).sum())
    return (1 + hits) / (rounds + 1)


def _draw_sums(values: Floats, n_first: int, rounds: int, rng: np.random.Generator) -> Floats:
    """Draw sums of `n_first` of the values."""
    distinct, counts = np.unique(values, return_counts=True)
    step = max(1, MAX_DRAWN // distinct.size)
    sizes = [min(step, rounds - start) for start in range(0, rounds, step)]
    return np.concatenate(
        [rng.multivariate_hypergeometric(counts, n_first, size) @ distinct for size in sizes]
    )
