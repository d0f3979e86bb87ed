"""Linear rankers over bags of features, sixteen trained at a time.

Each learns weights w that minimise  sum_i -log softmax(w x_i)_answer + penalty / 2 |w|^2  over its
own items with its own answers: folds, seeds and permuted answers differ in nothing else, so a row
of features is read once for all. An item of one choice counts as a yes or no (logistic loss).

Stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2013): every choice holds its share of
the weights, and a visit moves an item's shares towards what the softmax leaves to be explained. No
learning rate; the order of visits comes from the seed.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .features import FeatureBags

LANES = 16  # floats that fill a line of the cache
EPOCHS = 10
_FASTMATH = {"contract", "nsz", "arcp", "nnan"}  # may round otherwise, the same way each time

RankerWeights = NDArray[np.float32]


def train_ranker(
    bags: FeatureBags,
    answers: NDArray[np.int16],
    learns: NDArray[np.bool_],
    penalty: float,
    seed: int,
    epochs: int = EPOCHS,
) -> RankerWeights:
    """Weights by feature and lane; `answers` (-1: none is right) and `learns` by item and lane."""
    items, lanes = answers.shape
    padded_answers = np.zeros((items, LANES), np.int16)
    padded_answers[:, :lanes] = answers
    padded_learns = np.zeros((items, LANES), np.float32)
    padded_learns[:, :lanes] = learns
    rng = np.random.default_rng(seed)
    visited = np.flatnonzero(learns.any(axis=1))
    orders = np.array([rng.permutation(visited) for _ in range(epochs)], np.int64)
    weights = np.zeros((bags.size, LANES), np.float32)
    shares = np.zeros((int(bags.first[-1]), LANES), np.float32)
    args = (
        bags.first,
        bags.start,
        bags.feature,
        padded_answers,
        padded_learns,
        orders,
        np.float32(1 / penalty),
    )
    _train_lanes(*args, weights, shares)
    return weights[:, :lanes]


def score_choices(bags: FeatureBags, weights: RankerWeights) -> NDArray[np.float32]:
    """What each choice scores in each lane."""
    lanes = weights.shape[1]
    padded_weights = np.zeros((weights.shape[0], LANES), np.float32)
    padded_weights[:, :lanes] = weights
    out = np.zeros((int(bags.first[-1]), LANES), np.float32)
    _score_lanes(bags.start, bags.feature, padded_weights, out)
    return out[:, :lanes]


@njit(cache=True, nogil=True)
def lane_credits(first, scores, answers):  # type: ignore[no-untyped-def]
    """What each item earns in each lane: 1 for the answer ahead, 1/t for one of t that are."""
    items, lanes = answers.shape
    out = np.zeros((items, lanes))
    for item in range(items):
        for lane in range(lanes):
            best, n_best = scores[first[item], lane], 0
            for choice in range(first[item] + 1, first[item + 1]):
                best = max(best, scores[choice, lane])
            for choice in range(first[item], first[item + 1]):
                n_best += scores[choice, lane] == best
            if scores[first[item] + answers[item, lane], lane] == best:
                out[item, lane] = 1 / n_best
    return out


@njit(cache=True, nogil=True, fastmath=_FASTMATH)
def _train_lanes(first, start, feature, answers, learns, orders, scale, weights, shares):  # type: ignore[no-untyped-def]
    max_choices = 0
    for item in range(first.size - 1):
        max_choices = max(max_choices, first[item + 1] - first[item])
    z, moves = (
        np.zeros((max_choices, LANES), np.float32),
        np.zeros((max_choices, LANES), np.float32),
    )
    for order in orders:
        for item in order:
            begin, m = first[item], first[item + 1] - first[item]
            for j in range(m):
                _sum_weights(start, feature, begin + j, weights, z[j])
            # how far a visit may go: the curvature of the loss times the length of the features
            length = np.float32(start[begin + m] - start[begin])
            curve = np.float32(0.25) if m <= 2 else np.float32(0.5)
            step = np.float32(1) / (np.float32(1) + curve * length * scale)
            _move_shares(z, shares, begin, m, answers[item], learns[item], step, scale, moves)
            for j in range(m):
                for position in range(start[begin + j], start[begin + j + 1]):
                    row = weights[feature[position]]
                    for lane in range(LANES):
                        row[lane] += moves[j, lane]


@njit(cache=True, nogil=True, fastmath=_FASTMATH)
def _move_shares(z, shares, begin, m, answer, learns, step, scale, moves):  # type: ignore[no-untyped-def]
    """Move the shares of an item's choices towards (right or wrong) - (probability).

    Lanes are the inner loop everywhere: then one instruction does all of them.
    """
    top, total = np.zeros(LANES, np.float32), np.zeros(LANES, np.float32)
    for j in range(m):
        for lane in range(LANES):
            top[lane] = max(top[lane], z[j, lane])  # never below 0: no matter, it cancels
    for j in range(m):
        for lane in range(LANES):
            z[j, lane] = _fast_exp(z[j, lane] - top[lane])
            total[lane] += z[j, lane]
    if m == 1:  # yes or no: as if beside a choice that scores 0
        for lane in range(LANES):
            total[lane] += _fast_exp(-top[lane])
    for j in range(m):
        choice_shares = shares[begin + j]
        for lane in range(LANES):
            residual = np.float32(answer[lane] == j) - z[j, lane] / total[lane]
            move = step * (residual - choice_shares[lane]) * learns[lane]
            choice_shares[lane] += move
            moves[j, lane] = move * scale


@njit(inline="always")
def _fast_exp(x):  # type: ignore[no-untyped-def]
    """e**x for x <= 0 to 4e-6: unlike the library's, without a call, so for all lanes at once."""
    x = max(x, np.float32(-87)) * np.float32(1.44269504)
    exponent = np.int32(x - np.float32(0.5))
    f = (x - np.float32(exponent)) * np.float32(0.693147181)
    p = np.float32(1 / 720)
    for c in (1 / 120, 1 / 24, 1 / 6, 1 / 2, 1.0, 1.0):
        p = p * f + np.float32(c)
    return p * (np.int32((exponent + np.int32(127)) << 23)).view(np.float32)


@njit(cache=True, nogil=True)
def _sum_weights(start, feature, choice, weights, out):  # type: ignore[no-untyped-def]
    for lane in range(LANES):
        out[lane] = 0
    for position in range(start[choice], start[choice + 1]):
        row = weights[feature[position]]
        for lane in range(LANES):
            out[lane] += row[lane]


@njit(cache=True, nogil=True)
def _score_lanes(start, feature, weights, out):  # type: ignore[no-untyped-def]
    for choice in range(start.size - 1):
        _sum_weights(start, feature, choice, weights, out[choice])
