"""Linear rankers over bags of features, trained sixteen at a time (lanes).

Each lane learns weights w that minimise  sum_i -log softmax(w x_i)_answer + penalty / 2 |w|^2  over
its own items and answers. Folds, seeds and permuted answers differ in nothing else, so a row of
features is read once for all lanes. An item with a single choice has logistic loss.

The method is stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2013): every choice has a
share of the weights, and each visit moves the shares of an item towards the residual of the
softmax. There is no learning rate; the seed gives the order of visits.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .._infra.compilation import compile_function
from .features import FeatureBags
from .prefetch import prefetch_row

LANES = 16  # floats in a cache line
CACHED_BYTES = 768 * 1024  # of weights and shares that stay in the cache without being asked for
EPOCHS = 10
_FASTMATH = {"contract", "nsz", "arcp", "nnan"}  # may round differently, but always the same way

RankerWeights = NDArray[np.float32]


def train_ranker(
    bags: FeatureBags,
    answers: NDArray[np.int16],
    learns: NDArray[np.bool_],
    penalty: float,
    seed: int,
    epochs: int = EPOCHS,
) -> RankerWeights:
    """Return weights by feature and lane.

    By item and lane, `answers` is the right choice (-1: none) and `learns` whether it is used.
    """
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
    max_choices = int(np.diff(bags.first).max(initial=0))
    # allocated once, and here: an item takes less than a malloc, and numpy needs no compilation
    z, moves, sums = (np.zeros((rows, LANES), np.float32) for rows in (max_choices, max_choices, 2))
    targets, scale = (padded_answers, padded_learns), np.float32(1 / penalty)
    prefetches = weights.nbytes + shares.nbytes > CACHED_BYTES
    features = (bags.first, bags.start, bags.feature)
    state = weights, shares, z, moves, sums
    _train_lanes(*features, targets, orders, scale, *state, prefetches)
    return weights[:, :lanes]


def score_choices(bags: FeatureBags, weights: RankerWeights) -> NDArray[np.float32]:
    """Return the score of each choice in each lane."""
    lanes = weights.shape[1]
    if lanes < LANES:
        weights = np.pad(weights, ((0, 0), (0, LANES - lanes)))
    out = np.zeros((int(bags.first[-1]), LANES), np.float32)
    _score_lanes(bags.start, bags.feature, np.ascontiguousarray(weights), out)
    return out[:, :lanes]


def lane_credits(
    first: NDArray[np.int64], scores: NDArray[np.floating], answers: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Return the credit of each item in each lane: 1, or 1/t if t choices tie for the best."""
    # one memory layout: each would be compiled on its own
    arrays = np.ascontiguousarray(scores), np.ascontiguousarray(answers)
    credits = np.zeros(answers.shape)
    _write_credits(first, *arrays, credits)
    return credits


@compile_function(nogil=True)
def _write_credits(first, scores, answers, out):  # type: ignore[no-untyped-def]
    for item in range(out.shape[0]):
        for lane in range(out.shape[1]):
            best, n_best = scores[first[item], lane], 0
            for choice in range(first[item] + 1, first[item + 1]):
                best = max(best, scores[choice, lane])
            for choice in range(first[item], first[item + 1]):
                n_best += scores[choice, lane] == best
            if scores[first[item] + answers[item, lane], lane] == best:
                out[item, lane] = 1 / n_best


@compile_function(nogil=True, fastmath=_FASTMATH)
def _train_lanes(  # type: ignore[no-untyped-def]
    first, start, feature, targets, orders, scale, weights, shares, z, moves, sums, prefetches
):
    for epoch in range(orders.shape[0]):
        order = orders[epoch]
        for visit in range(order.size):
            if prefetches:
                _prefetch_items(order, visit, first, start, feature, targets, weights, shares)
            item = order[visit]
            begin, m = first[item], first[item + 1] - first[item]
            for j in range(m):
                _sum_weights(start, feature, begin + j, weights, z, j)
            # the step size follows from the curvature of the loss and the number of features
            length = np.float32(start[begin + m] - start[begin])
            curve = np.float32(0.25) if m <= 2 else np.float32(0.5)
            step = np.float32(1) / (np.float32(1) + curve * length * scale)
            _move_shares(z, shares, begin, m, targets, item, step, scale, moves, sums)
            for j in range(m):
                _add_moves(start, feature, begin + j, weights, moves, j)


@compile_function(nogil=True)
def _prefetch_items(order, visit, first, start, feature, targets, weights, shares):  # type: ignore[no-untyped-def]
    """Ask for what the next visits read: each step needs what the step before it asked for."""
    if visit + 4 < order.size:
        prefetch_row(first, order[visit + 4])
    if visit + 3 < order.size:
        prefetch_row(start, first[order[visit + 3]])
    if visit + 2 < order.size:
        item = order[visit + 2]
        for position in range(
            start[first[item]], start[first[item + 1]], 16
        ):  # numbers in a cache line
            prefetch_row(feature, position)
    if visit + 1 < order.size:
        item = order[visit + 1]
        prefetch_row(targets[0], item)
        prefetch_row(targets[1], item)
        for choice in range(first[item], first[item + 1]):
            prefetch_row(shares, choice)
        for position in range(start[first[item]], start[first[item + 1]]):
            prefetch_row(weights, feature[position])


@compile_function(nogil=True, fastmath=_FASTMATH)
def _move_shares(z, shares, begin, m, targets, item, step, scale, moves, sums):  # type: ignore[no-untyped-def]
    """Move the shares of an item's choices towards (is the answer) - (probability).

    Lanes are the inner loop everywhere, so that one instruction handles all of them.
    """
    answers, learns = targets
    top, total = sums[0], sums[1]
    for lane in range(LANES):
        top[lane], total[lane] = 0, 0
    for j in range(m):
        for lane in range(LANES):
            top[lane] = max(top[lane], z[j, lane])  # at least 0, which cancels out
    for j in range(m):
        for lane in range(LANES):
            z[j, lane] = _fast_exp(z[j, lane] - top[lane])
            total[lane] += z[j, lane]
    if m == 1:  # logistic: as if there were another choice that scores 0
        for lane in range(LANES):
            total[lane] += _fast_exp(-top[lane])
    for j in range(m):
        for lane in range(LANES):
            residual = np.float32(answers[item, lane] == j) - z[j, lane] / total[lane]
            move = step * (residual - shares[begin + j, lane]) * learns[item, lane]
            shares[begin + j, lane] += move
            moves[j, lane] = move * scale


@njit(inline="always")
def _fast_exp(x):  # type: ignore[no-untyped-def]
    """Approximate e**x for x <= 0 to 4e-6, without a library call, so that lanes vectorise."""
    x = max(x, np.float32(-87)) * np.float32(1.44269504)
    exponent = np.int32(x - np.float32(0.5))
    f = (x - np.float32(exponent)) * np.float32(0.693147181)
    p = np.float32(1 / 720)
    for c in (1 / 120, 1 / 24, 1 / 6, 1 / 2, 1.0, 1.0):
        p = p * f + np.float32(c)
    return p * (np.int32((exponent + np.int32(127)) << 23)).view(np.float32)


@compile_function(nogil=True)
def _sum_weights(start, feature, choice, weights, out, row):  # type: ignore[no-untyped-def]
    """Write the sum of the weights of a choice's features, in their order, to a row of `out`.

    Four features are added at a time, so that the sum is read and written a quarter as often.
    """
    for lane in range(LANES):
        out[row, lane] = 0
    position, end = start[choice], start[choice + 1]
    while position + 4 <= end:
        a, b = feature[position], feature[position + 1]
        c, d = feature[position + 2], feature[position + 3]
        for lane in range(LANES):
            total = out[row, lane] + weights[a, lane] + weights[b, lane]
            out[row, lane] = total + weights[c, lane] + weights[d, lane]
        position += 4
    for p in range(position, end):
        f = feature[p]
        for lane in range(LANES):
            out[row, lane] += weights[f, lane]


@compile_function(nogil=True)
def _add_moves(start, feature, choice, weights, moves, row):  # type: ignore[no-untyped-def]
    """Add a row of moves to the weights of a choice's features."""
    for position in range(start[choice], start[choice + 1]):
        f = feature[position]
        for lane in range(LANES):
            weights[f, lane] += moves[row, lane]


@compile_function(nogil=True)
def _score_lanes(start, feature, weights, out):  # type: ignore[no-untyped-def]
    for choice in range(start.size - 1):
        _sum_weights(start, feature, choice, weights, out, choice)
