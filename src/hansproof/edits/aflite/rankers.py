"""Many linear rankers over the same items, each learnt from some of them, solved side by side.

What each minimises is what models/_linear does for one: -log softmax of the answer, and penalty/2
|weights|^2. As a product with a matrix costs little more for 64 columns than for one, all take
their Newton steps together. The steps are found by conjugate gradients, in single precision, with
the second derivatives of all items taken together as a guide: partitions differ little from that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

NEAR = 1e-2  # after a step this small, beside the weights, what is left is a tenth of it or less
STEPS, INNER = 20, 50  # Newton steps, and those to find one of them
FORCING = 0.1  # what may be left of a gradient by the step that is to undo it
HALVINGS = 20


@dataclass(frozen=True, slots=True)
class Traps:
    """Rows of wrong choices less their item's answer: an item is right where all score below 0.

    Item i has the rows first[i] to first[i + 1], at least one.
    """

    rows: Floats
    first: Ints

    @classmethod
    def of(cls, features: NDArray[np.float64], sizes: Ints, answers: Ints) -> Traps:
        """From the features of all choices, stacked; `sizes` are the numbers of choices."""
        begin = np.cumsum(sizes) - sizes
        right = begin + answers
        wrong = np.ones(len(features), np.bool_)
        wrong[right] = False
        item = np.repeat(np.arange(sizes.size), sizes)
        rows = (features[wrong] - features[right[item[wrong]]]).astype(np.float32)
        return cls(rows, np.concatenate(([0], np.cumsum(sizes - 1))))

    def only(self, items: Ints) -> Traps:
        """Those of some items, in the order given."""
        sizes = np.diff(self.first)[items]
        first = np.concatenate(([0], np.cumsum(sizes)))
        within = np.arange(first[-1]) - np.repeat(first[:-1], sizes)
        return Traps(self.rows[np.repeat(self.first[items], sizes) + within], first)

    def right(self, weights: Floats) -> Floats:
        """What each item earns by each column of weights: 1, or its share of a tie, or 0."""
        scores = self.rows @ weights
        top = np.maximum.reduceat(scores, self.first[:-1])
        level = np.add.reduceat((scores == 0).astype(np.float32), self.first[:-1])
        return np.where(top < 0, 1, np.where(top == 0, 1 / (1 + level), 0)).astype(np.float32)


def solve(traps: Traps, learns: Bools, penalty: float, start: Floats | None = None) -> Floats:
    """Weights, a column for each ranker; `learns` by item and ranker says who learns from whom."""
    problem = _Problem(traps, learns.astype(np.float32), np.float32(penalty))
    weights = np.zeros((traps.rows.shape[1], learns.shape[1]), np.float32)
    weights = weights if start is None else start
    guide = problem.guide()
    scores = traps.rows @ weights
    for _ in range(STEPS):
        shares = problem.shares(scores)
        gradient = problem.gradient(weights, shares)
        step = _conjugate(partial(problem.curved, shares), -gradient, guide)
        change = traps.rows @ step
        length = problem.length(weights, scores, step, change, gradient)
        weights, scores = weights + length * step, scores + length * change
        if (_norms(length * step) <= NEAR * _norms(weights)).all():
            break
    return weights


@dataclass(frozen=True, slots=True)
class _Problem:
    """What each column minimises, and its derivatives."""

    traps: Traps
    learns: Floats  # by item and column: 1 where it is learnt from
    penalty: np.float32

    def shares(self, scores: Floats) -> Floats:
        """How likely each wrong choice is held to be the answer."""
        top, total = self._sums(scores)
        return np.asarray(np.exp(scores - self._spread(top)) / self._spread(total))

    def losses(self, weights: Floats, scores: Floats) -> NDArray[np.float64]:
        """By column: minus the log-likelihood, and the penalty."""
        top, total = self._sums(scores)
        each = ((top + np.log(total)) * self.learns).sum(axis=0, dtype=np.float64)
        return np.asarray(each + float(self.penalty) / 2 * np.square(_norms(weights)))

    def gradient(self, weights: Floats, shares: Floats) -> Floats:
        """First derivatives."""
        rows = self.traps.rows
        return np.asarray(rows.T @ (shares * self._spread(self.learns)) + self.penalty * weights)

    def curved(self, shares: Floats, along: Floats) -> Floats:
        """Second derivatives times a direction."""
        scores = self.traps.rows @ along
        mean = np.add.reduceat(shares * scores, self.traps.first[:-1])
        moved = shares * (scores - self._spread(mean)) * self._spread(self.learns)
        return np.asarray(self.traps.rows.T @ moved + self.penalty * along)

    def guide(self) -> Floats:
        """The inverse of the second derivatives, of all items and without any weights yet."""
        rows, taught = self.traps.rows, float(self.learns.mean())
        share = 1 / (1 + np.diff(self.traps.first))
        weight = np.sqrt(taught * share * (1 - share)).astype(np.float32)
        scaled = rows * self._spread(weight)[:, None]
        total = (scaled.T @ scaled).astype(np.float64)
        total += float(self.penalty) * np.eye(len(total))
        return np.asarray(np.linalg.inv(total), np.float32)

    def length(
        self, weights: Floats, scores: Floats, step: Floats, change: Floats, gradient: Floats
    ) -> Floats:
        """By column, how far to go: all of a step, or half, or a quarter, so that it is downhill.

        None of it where that is lost in rounding.
        """
        before = self.losses(weights, scores)
        slope = np.einsum("ij,ij->j", gradient, step, dtype=np.float64)
        length = np.ones(step.shape[1], np.float32)
        for _ in range(HALVINGS):
            after = self.losses(weights + length * step, scores + length * change)
            far = after > before + 1e-4 * length * slope + 1e-6 * np.abs(before)
            if not far.any():
                return length
            length[far] /= 2
        return np.where(far, np.float32(0), length).astype(np.float32)

    def _sums(self, scores: Floats) -> tuple[Floats, Floats]:
        """By item: the highest score, the answer's 0 among them, and the sum of exponents below."""
        top = np.maximum(np.maximum.reduceat(scores, self.traps.first[:-1]), 0)
        each = np.exp(scores - self._spread(top))
        return top, np.add.reduceat(each, self.traps.first[:-1]) + np.exp(-top)

    def _spread(self, by_item: Floats) -> Floats:
        sizes = np.diff(self.traps.first)
        return by_item if (sizes == 1).all() else np.repeat(by_item, sizes, axis=0)


def _conjugate(curved: Callable[[Floats], Floats], wanted: Floats, guide: Floats) -> Floats:
    """For each column x with curved(x) = wanted, nearly: conjugate gradients, preconditioned."""
    found, left = np.zeros_like(wanted), wanted.copy()
    guided = guide @ left
    along, strength = guided, np.einsum("ij,ij->j", left, guided)
    enough = FORCING * _norms(wanted)
    for _ in range(INNER):
        bent = curved(along)
        far = strength / np.maximum(np.einsum("ij,ij->j", along, bent), np.float32(1e-30))
        found, left = found + far * along, left - far * bent
        if (_norms(left) <= enough).all():
            break
        guided = guide @ left
        before, strength = strength, np.einsum("ij,ij->j", left, guided)
        along = guided + strength / np.maximum(before, np.float32(1e-30)) * along
    return found


def _norms(columns: Floats) -> NDArray[np.float64]:
    return np.asarray(np.sqrt(np.einsum("ij,ij->j", columns, columns, dtype=np.float64)))
