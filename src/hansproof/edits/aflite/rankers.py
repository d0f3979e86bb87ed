"""Fits many linear rankers at once, each on a different subset of the same items.

Each minimises the loss of linear/solver: -log softmax of the answer plus penalty/2 |weights|^2.
A matrix product costs little more for 64 columns than for one, so all rankers take their Newton
steps together. The steps are found by conjugate gradients in single precision, preconditioned with
the Hessian over all items, from which those of the subsets differ little.
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

TOLERANCE = 1e-2  # relative size of the last Newton step
MAX_NEWTON_STEPS, MAX_CG_STEPS = 20, 50  # Newton steps, and conjugate-gradient steps within each
FORCING = 0.1  # relative residual at which conjugate gradients stop
MAX_HALVINGS = 20


@dataclass(frozen=True, slots=True)
class ChoiceDifferences:
    """Features of wrong choices minus those of the answer; an item is right if all score below 0.

    Item i has the rows offsets[i] to offsets[i + 1], at least one.
    """

    rows: Floats
    offsets: Ints

    @classmethod
    def from_features(
        cls, features: NDArray[np.float64], sizes: Ints, answers: Ints
    ) -> ChoiceDifferences:
        """Build from the stacked features of all choices; `sizes` are the numbers of choices."""
        begin = np.cumsum(sizes) - sizes
        right = begin + answers
        wrong = np.ones(len(features), np.bool_)
        wrong[right] = False
        item = np.repeat(np.arange(sizes.size), sizes)
        rows = (features[wrong] - features[right[item[wrong]]]).astype(np.float32)
        return cls(rows, np.concatenate(([0], np.cumsum(sizes - 1))))

    def select_items(self, items: Ints) -> ChoiceDifferences:
        """Return the rows of some items, in that order."""
        sizes = np.diff(self.offsets)[items]
        offsets = np.concatenate(([0], np.cumsum(sizes)))
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
        return ChoiceDifferences(self.rows[np.repeat(self.offsets[items], sizes) + within], offsets)

    def item_credit(self, weights: Floats) -> Floats:
        """Return the expected credit of each item for each column of weights."""
        scores = self.rows @ weights
        top = np.maximum.reduceat(scores, self.offsets[:-1])
        n_tied = np.add.reduceat((scores == 0).astype(np.float32), self.offsets[:-1])
        return np.where(top < 0, 1, np.where(top == 0, 1 / (1 + n_tied), 0)).astype(np.float32)


def solve_rankers(
    differences: ChoiceDifferences, train_mask: Bools, penalty: float, start: Floats | None = None
) -> Floats:
    """Return weights, a column per ranker; `train_mask` marks training items by ranker."""
    problem = _RankingProblem(differences, train_mask.astype(np.float32), np.float32(penalty))
    weights = np.zeros((differences.rows.shape[1], train_mask.shape[1]), np.float32)
    weights = weights if start is None else start
    preconditioner = problem.preconditioner()
    scores = differences.rows @ weights
    for _ in range(MAX_NEWTON_STEPS):
        shares = problem.softmax_shares(scores)
        gradient = problem.gradient(weights, shares)
        step = _conjugate_gradients(
            partial(problem.hessian_product, shares), -gradient, preconditioner
        )
        change = differences.rows @ step
        step_size = problem.step_length(weights, scores, step, change, gradient)
        weights, scores = weights + step_size * step, scores + step_size * change
        if (_column_norms(step_size * step) <= TOLERANCE * _column_norms(weights)).all():
            break
    return weights


@dataclass(frozen=True, slots=True)
class _RankingProblem:
    """The loss of each ranker and its derivatives."""

    differences: ChoiceDifferences
    train_mask: Floats  # by item and column: 1 for training items
    penalty: np.float32

    def softmax_shares(self, scores: Floats) -> Floats:
        """Return the softmax probability of each wrong choice."""
        top, total = self._softmax_terms(scores)
        return np.asarray(np.exp(scores - self._repeat_per_row(top)) / self._repeat_per_row(total))

    def losses(self, weights: Floats, scores: Floats) -> NDArray[np.float64]:
        """Return for each column the negative log-likelihood plus the penalty."""
        top, total = self._softmax_terms(scores)
        log_losses = ((top + np.log(total)) * self.train_mask).sum(axis=0, dtype=np.float64)
        return np.asarray(log_losses + float(self.penalty) / 2 * np.square(_column_norms(weights)))

    def gradient(self, weights: Floats, shares: Floats) -> Floats:
        """Return the gradient of each column."""
        rows = self.differences.rows
        return np.asarray(
            rows.T @ (shares * self._repeat_per_row(self.train_mask)) + self.penalty * weights
        )

    def hessian_product(self, shares: Floats, direction: Floats) -> Floats:
        """Multiply the Hessian of each column by a direction."""
        scores = self.differences.rows @ direction
        mean = np.add.reduceat(shares * scores, self.differences.offsets[:-1])
        weighted = (
            shares * (scores - self._repeat_per_row(mean)) * self._repeat_per_row(self.train_mask)
        )
        return np.asarray(self.differences.rows.T @ weighted + self.penalty * direction)

    def preconditioner(self) -> Floats:
        """Return the inverse Hessian over all items at zero weights."""
        rows, train_share = self.differences.rows, float(self.train_mask.mean())
        share = 1 / (1 + np.diff(self.differences.offsets))
        weight = np.sqrt(train_share * share * (1 - share)).astype(np.float32)
        scaled = rows * self._repeat_per_row(weight)[:, None]
        hessian = (scaled.T @ scaled).astype(np.float64)
        hessian += float(self.penalty) * np.eye(len(hessian))
        return np.asarray(np.linalg.inv(hessian), np.float32)

    def step_length(
        self, weights: Floats, scores: Floats, step: Floats, change: Floats, gradient: Floats
    ) -> Floats:
        """Backtrack: halve the step of each column until its loss decreases enough.

        0 for columns where the decrease is lost in rounding.
        """
        loss_before = self.losses(weights, scores)
        slope = np.einsum("ij,ij->j", gradient, step, dtype=np.float64)
        step_size = np.ones(step.shape[1], np.float32)
        for _ in range(MAX_HALVINGS):
            loss_after = self.losses(weights + step_size * step, scores + step_size * change)
            too_far = loss_after > loss_before + 1e-4 * step_size * slope + 1e-6 * np.abs(
                loss_before
            )
            if not too_far.any():
                return step_size
            step_size[too_far] /= 2
        return np.where(too_far, np.float32(0), step_size).astype(np.float32)

    def _softmax_terms(self, scores: Floats) -> tuple[Floats, Floats]:
        """Return by item the highest score, the answer's 0 included, and the exponential sum."""
        top = np.maximum(np.maximum.reduceat(scores, self.differences.offsets[:-1]), 0)
        exponents = np.exp(scores - self._repeat_per_row(top))
        return top, np.add.reduceat(exponents, self.differences.offsets[:-1]) + np.exp(-top)

    def _repeat_per_row(self, by_item: Floats) -> Floats:
        sizes = np.diff(self.differences.offsets)
        return by_item if (sizes == 1).all() else np.repeat(by_item, sizes, axis=0)


def _conjugate_gradients(
    hessian_product: Callable[[Floats], Floats], target: Floats, preconditioner: Floats
) -> Floats:
    """Solve hessian_product(x) = target approximately for each column."""
    solution, residual = np.zeros_like(target), target.copy()
    preconditioned = preconditioner @ residual
    direction, residual_energy = preconditioned, np.einsum("ij,ij->j", residual, preconditioned)
    tolerance = FORCING * _column_norms(target)
    for _ in range(MAX_CG_STEPS):
        product = hessian_product(direction)
        step_size = residual_energy / np.maximum(
            np.einsum("ij,ij->j", direction, product), np.float32(1e-30)
        )
        solution, residual = solution + step_size * direction, residual - step_size * product
        if (_column_norms(residual) <= tolerance).all():
            break
        preconditioned = preconditioner @ residual
        previous_energy, residual_energy = (
            residual_energy,
            np.einsum("ij,ij->j", residual, preconditioned),
        )
        direction = (
            preconditioned
            + residual_energy / np.maximum(previous_energy, np.float32(1e-30)) * direction
        )
    return solution


def _column_norms(columns: Floats) -> NDArray[np.float64]:
    return np.asarray(np.sqrt(np.einsum("ij,ij->j", columns, columns, dtype=np.float64)))
