"""Agreement between raters: Fleiss' kappa, Krippendorff's alpha and the majority vote.

    P_i = sum_j n_ij (n_ij - 1) / (n_i (n_i - 1))      of items with at least two ratings
    P   = mean_i P_i        p_j = mean_i n_ij / n_i     P_e = sum_j p_j^2
    kappa = (P - P_e) / (1 - P_e)                       undefined for P_e = 1

    o_jk = sum_i n_ij (n_ik - [j = k]) / (n_i - 1)      coincidences, items with two ratings or more
    n_j = sum_k o_jk        n = sum_j n_j
    alpha = 1 - (n - 1) (n - sum_j o_jj) / (n^2 - sum_j n_j^2)

Fleiss 1971; with ratings missing, n_i in place of n as in Gwet 2014 (chapter 2). Alpha is that of
Krippendorff 2011 for nominal categories, which allows missing ratings as it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .binomial import Floats
from .intervals import MIN_GROUPS

RatingCounts = NDArray[np.int64]  # by item and choice: how many raters picked it


def fleiss_kappa(counts: ArrayLike) -> float:
    """Return agreement beyond chance; NaN if no item has two ratings, or all ratings are equal."""
    return _kappa_of_terms(*_agreement_terms(np.asarray(counts)))


def fleiss_interval(
    counts: ArrayLike, confidence: float = 0.95, rounds: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """Bootstrap a percentile interval of kappa over items; draws with undefined kappa are ignored.

    With fewer than ten items a bootstrap varies too little, so the interval is (-1, 1).
    """
    agree, shares = _agreement_terms(np.asarray(counts))
    rng, n = np.random.default_rng(seed), agree.size
    if n < MIN_GROUPS:
        return -1.0, 1.0
    draws = (rng.integers(0, n, n) for _ in range(rounds))
    kappas = np.array([_kappa_of_terms(agree[draw], shares[draw]) for draw in draws])
    ends = np.nanquantile(kappas, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return float(ends[0]), float(ends[1])


def _agreement_terms(counts: RatingCounts) -> tuple[Floats, Floats]:
    """Return P_i and the shares of the choices, for items with at least two ratings."""
    counts = counts[counts.sum(axis=1) >= 2]
    n = counts.sum(axis=1)
    return (counts * (counts - 1)).sum(axis=1) / (n * (n - 1)), counts / n[:, None]


def _kappa_of_terms(agree: Floats, shares: Floats) -> float:
    if not agree.size:
        return float("nan")
    by_chance = float(np.square(shares.mean(axis=0)).sum())
    defined = 1 - by_chance > 1e-12
    return (float(agree.mean()) - by_chance) / (1 - by_chance) if defined else float("nan")


def krippendorff_alpha(counts: ArrayLike) -> float:
    """Return Krippendorff's alpha for nominal categories; NaN where it is undefined.

    It is undefined if no item has two ratings, or all ratings of such items are equal.
    """
    values = np.asarray(counts)
    values = values[values.sum(axis=1) >= 2]
    n_by_category = values.sum(axis=0)  # n_j: what an item contributes sums to its ratings
    n = int(n_by_category.sum())
    by_chance = n * n - int(np.square(n_by_category).sum())
    if not by_chance:
        return float("nan")
    n_ratings = values.sum(axis=1)
    agreeing = float(((values * (values - 1)).sum(axis=1) / (n_ratings - 1)).sum())
    return 1 - (n - 1) * (n - agreeing) / by_chance


def majority_credit(counts: ArrayLike, answers: ArrayLike) -> Floats:
    """Return the expected credit of the majority vote on each item; NaN without ratings."""
    votes, right = np.asarray(counts), np.asarray(answers)
    is_top = votes == votes.max(axis=1, keepdims=True)
    vote_credit = is_top[np.arange(right.size), right] / is_top.sum(axis=1)
    return np.where(votes.sum(axis=1) > 0, vote_credit, np.nan)
