"""Tests whether all positions are right equally often.

Counts of independent items with the same number of choices are tested exactly while the outcomes
can be listed. Items of a group are not independent: under the null hypothesis the answers of a
group are rotated together by a random number of positions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, gammaln

from .binomial import Floats, binomial_p
from .groups import group_count, group_numbers

MAX_OUTCOMES = 500_000  # that are listed
SIMULATIONS = 9999
MIN_EXPECTED = 5  # below, chi-squared is too far off


@dataclass(frozen=True, slots=True)
class EvennessTest:
    """A test of counts by position; `expected` and `covariance` are those of even answers."""

    expected: Floats
    covariance: Floats
    statistic: float
    df: int
    p: float
    is_binomial: bool = False  # two choices, independent items: p is that of a binomial test

    def noncentrality(self, lift: float) -> float:
        """Return that of one position right `lift` more often, at the expense of the others.

        The position is the one that is hardest to see; infinite if answers cannot be uneven.
        """
        if not self.df:
            return math.inf
        n = float(self.expected.sum())
        share = self.expected / n
        # row i: position i gains, the others lose in proportion to how often they are right
        losses = np.where(np.eye(share.size) == 1, 0.0, share) / (1 - share)[:, None]
        shifts = lift * n * (np.eye(share.size) - losses)
        inverse = np.linalg.pinv(self.covariance, hermitian=True)
        return float(np.einsum("ij,jk,ik->i", shifts, inverse, shifts).min())


def check_evenness(
    answers: Sequence[int], sizes: Sequence[int], groups: Sequence[str | None]
) -> EvennessTest:
    """Test the positions of right answers; `sizes` are the numbers of choices of the items."""
    k = max(sizes)
    counts = np.bincount(answers, minlength=k).astype(np.float64)
    independent = group_count(groups) == len(groups)
    expected, covariance = (
        _independent_moments(sizes, k) if independent else _grouped_moments(answers, sizes, groups)
    )
    distance = counts - expected
    df = int(np.linalg.matrix_rank(covariance, tol=1e-9, hermitian=True))
    statistic = float(distance @ np.linalg.pinv(covariance, hermitian=True) @ distance)
    if not df:
        p = 1.0
    elif independent:
        p = _independent_p(counts, expected, np.array(sizes), statistic)
    else:
        p = float(chdtrc(df, statistic))
    return EvennessTest(expected, covariance, statistic, df, p, independent and k == 2)


def _independent_moments(sizes: Sequence[int], k: int) -> tuple[Floats, Floats]:
    expected, covariance = np.zeros(k), np.zeros((k, k))
    for m, count in zip(*np.unique(np.array(sizes), return_counts=True), strict=True):
        share = np.where(np.arange(k) < m, 1 / m, 0.0)
        expected += count * share
        covariance += count * (np.diag(share) - np.outer(share, share))
    return expected, covariance


def _grouped_moments(
    answers: Sequence[int], sizes: Sequence[int], groups: Sequence[str | None]
) -> tuple[Floats, Floats]:
    """Return mean and covariance of the counts, over the rotations of each group."""
    k = max(sizes)
    expected, covariance = np.zeros(k), np.zeros((k, k))
    numbers = group_numbers(groups)
    order = np.argsort(numbers, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1):
        turns = math.lcm(*{sizes[i] for i in members})
        counts = np.zeros((turns, k))
        for i in members:
            counts[np.arange(turns), (answers[i] + np.arange(turns)) % sizes[i]] += 1
        expected += counts.mean(axis=0)
        covariance += np.cov(counts, rowvar=False, bias=True).reshape(k, k)
    return expected, covariance


def _independent_p(
    counts: Floats, expected: Floats, sizes: NDArray[np.int64], statistic: float
) -> float:
    n, k = len(sizes), counts.size
    if sizes.min() == k == 2:
        return float(binomial_p(counts[0], n, 0.5))
    if sizes.min() == k and math.comb(n + k - 1, k - 1) <= MAX_OUTCOMES:
        return _multinomial_p(counts)
    if expected.min() >= MIN_EXPECTED:
        return float(chdtrc(k - 1, statistic))
    rng = np.random.default_rng(0)
    simulated = np.zeros((SIMULATIONS, k))
    for m, count in zip(*np.unique(sizes, return_counts=True), strict=True):
        simulated[:, :m] += rng.multinomial(count, [1 / m] * m, SIMULATIONS)
    distances = (np.square(simulated - expected) / expected).sum(axis=1)
    observed = float((np.square(counts - expected) / expected).sum())
    return (1 + int((distances >= observed - 1e-9).sum())) / (SIMULATIONS + 1)


def _multinomial_p(counts: Floats) -> float:
    """Return the exact probability of counts at least as uneven, by Pearson's statistic."""
    n, k = int(counts.sum()), counts.size
    log_probability, squares = np.array([gammaln(n + 1) - n * math.log(k)]), np.zeros(1)
    remaining = np.array([n])
    for _ in range(k - 1):  # each outcome so far is continued by every count that is left
        sizes = remaining + 1
        index = np.repeat(np.arange(remaining.size), sizes)
        count = np.arange(index.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        log_probability = log_probability[index] - gammaln(count + 1)
        squares = squares[index] + np.square(count)
        remaining = remaining[index] - count
    log_probability = log_probability - gammaln(remaining + 1)
    squares = squares + np.square(remaining)
    is_extreme = squares >= float(np.square(counts).sum()) - 1e-9
    return min(1.0, float(np.exp(log_probability[is_extreme]).sum()))
