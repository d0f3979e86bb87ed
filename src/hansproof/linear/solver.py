"""Fits linear scores of choices, so that the right choice scores highest.

The choices of all items are stacked as rows; item i has the rows offsets[i] to offsets[i + 1].
Scores of several choices go through a softmax. A single choice is a yes-or-no question, and only
there the bias matters. The loss is convex, so Newton's method finds its unique minimum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..types import Items

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 2048  # rows at a time: the Hessian needs copies of them
_BIAS_PENALTY = 1e-6  # keeps the bias finite if all answers are the same
_MAX_STEPS = 100
_TOLERANCE = 1e-10  # of the gradient, relative to the size of the rows


def fit_weights(rows: Floats, offsets: Ints, answers: Ints, penalty: float) -> tuple[Floats, float]:
    """Return the weights and the bias that minimise -log likelihood + penalty/2 |weights|².

    An answer is a position among the item's choices; -1 says that the only choice is wrong.
    """
    problem = _build_loss(rows, offsets, answers, penalty)
    solution = np.zeros(rows.shape[1] + 1)  # the weights, then the bias
    tolerance = _TOLERANCE * (1 + float(np.sqrt(np.einsum("ij,ij->", rows, rows) + len(rows))))
    for _ in range(_MAX_STEPS):
        row_scores = problem.row_scores(solution)
        probabilities = problem.probabilities(row_scores)
        gradient = problem.gradient(solution, probabilities)
        if float(np.linalg.norm(gradient)) <= tolerance:
            break
        step = np.asarray(np.linalg.solve(problem.hessian(probabilities), -gradient), np.float64)
        step_size = _line_search(problem, solution, row_scores, step, gradient)
        if not step_size:  # as close as rounding allows
            break
        solution = solution + step_size * step
    return solution[:-1], float(solution[-1])


def score_rows(rows: Floats, weights: Floats, bias: float) -> Floats:
    """Return the score of every row; equal rows get equal scores, to the last bit.

    A matrix product does not guarantee that: it may sum rows in different orders.
    """
    blocks = range(0, len(rows), _BLOCK)
    block_scores = [(rows[start : start + _BLOCK] * weights).sum(axis=1) + bias for start in blocks]
    return np.concatenate([np.empty(0), *block_scores])


def choice_layout(items: Items) -> tuple[Ints, Ints]:
    """Return the offset of each item's first row, and the answers, -1 if unknown."""
    sizes = [len(item.choices) for item in items]
    answers = [-1 if item.answer is None else item.answer for item in items]
    return np.cumsum([0, *sizes]), np.array(answers, np.int64)


def group_by_item(items: Items, scores: NDArray[np.floating]) -> list[tuple[float, ...]]:
    """Group the scores of rows by item."""
    values = iter(scores.tolist())
    return [tuple(next(values) for _ in item.choices) for item in items]


@dataclass(frozen=True, slots=True)
class _RankingLoss:
    """The loss to be minimised, and its derivatives."""

    rows: Floats
    offsets: Ints
    answer_rows: Ints  # rows of right choices
    sizes: Ints  # number of choices of each item
    has_equal_sizes: bool  # whether all items have the same number of choices
    is_single: NDArray[np.bool_]  # whether a row is the only choice of its item
    penalties: Floats

    def row_scores(self, solution: Floats) -> Floats:
        """Return the score of every row."""
        return np.asarray(self.rows @ solution[:-1] + self.is_single * solution[-1])

    def loss(self, solution: Floats, scores: Floats) -> float:
        """Return -log likelihood plus the penalty."""
        highest, total = self._softmax_sums(scores)
        likelihood = float(scores[self.answer_rows].sum() - (highest + np.log(total)).sum())
        return float(self.penalties @ solution**2) / 2 - likelihood

    def probabilities(self, scores: Floats) -> Floats:
        """Return for every row the probability that it is its item's answer."""
        highest, total = self._softmax_sums(scores)
        return np.asarray(
            np.exp(scores - self._repeat_by_row(highest)) / self._repeat_by_row(total)
        )

    def gradient(self, solution: Floats, probabilities: Floats) -> Floats:
        """Return the gradient of the loss."""
        excess = probabilities.copy()
        excess[self.answer_rows] -= 1
        slope = np.append(self.rows.T @ excess, excess[self.is_single].sum())
        return np.asarray(slope + self.penalties * solution)

    def hessian(self, probabilities: Floats) -> Floats:
        """Return the second derivatives of the loss."""
        weights = np.sqrt(
            np.where(self.is_single, probabilities * (1 - probabilities), probabilities)
        )
        total = np.diag(self.penalties)
        for begin, end in self._item_blocks():
            low, high = self.offsets[begin], self.offsets[end]
            block = np.column_stack([self.rows[low:high], self.is_single[low:high]])
            starts, sizes = self.offsets[begin:end] - low, self.sizes[begin:end]
            centres = self._reduce_items(np.add, block * probabilities[low:high, None], starts)
            centres[sizes == 1] = 0  # the alternative to a single choice always scores 0
            block -= np.repeat(centres, sizes, axis=0)
            block *= weights[low:high, None]
            total += block.T @ block
        return total

    def _softmax_sums(self, scores: Floats) -> tuple[Floats, Floats]:
        """Return by item the highest score, and the sum of exp(score - highest)."""
        is_single = self.sizes == 1
        highest = self._reduce_items(np.maximum, scores, self.offsets[:-1])
        highest = np.where(is_single, np.maximum(highest, 0), highest)
        likelihoods = np.exp(scores - self._repeat_by_row(highest))
        total = self._reduce_items(np.add, likelihoods, self.offsets[:-1])
        # abs changes nothing where it matters, and prevents overflow elsewhere
        return highest, total + is_single * np.exp(-np.abs(highest))

    def _reduce_items(self, ufunc: np.ufunc, values: Floats, starts: Ints) -> Floats:
        """Return the sum or the maximum over the rows of each item."""
        if self.has_equal_sizes:  # three times as fast as reduceat
            m = int(self.sizes[0])
            return np.asarray(ufunc.reduce([values[j::m] for j in range(m)]))
        return np.asarray(ufunc.reduceat(values, starts))

    def _repeat_by_row(self, item_values: Floats) -> Floats:
        return np.repeat(item_values, self.sizes)

    def _item_blocks(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of items with about as many rows as a block."""
        begin, n_items = 0, len(self.sizes)
        while begin < n_items:
            end = int(np.searchsorted(self.offsets, self.offsets[begin] + _BLOCK, side="right")) - 1
            end = min(max(end, begin + 1), n_items)
            yield begin, end
            begin = end


def _build_loss(rows: Floats, offsets: Ints, answers: Ints, penalty: float) -> _RankingLoss:
    sizes = np.diff(offsets)
    has_answer = answers >= 0
    penalties = np.append(np.full(rows.shape[1], float(penalty)), _BIAS_PENALTY)
    is_single = np.repeat(sizes == 1, sizes)
    return _RankingLoss(
        rows, offsets, offsets[:-1][has_answer] + answers[has_answer], sizes,
        np.unique(sizes).size == 1, is_single, penalties,
    )  # fmt: skip


def _line_search(
    problem: _RankingLoss, solution: Floats, scores: Floats, step: Floats, gradient: Floats
) -> float:
    """Return the largest step size of 1, 1/2, 1/4, ... that lowers the loss enough; 0 if none."""
    change = problem.row_scores(step)
    loss_before, slope = problem.loss(solution, scores), float(gradient @ step)
    rounding = 1e-14 * (1 + abs(loss_before))
    step_size = 1.0
    while step_size > 1e-12:
        loss_after = problem.loss(solution + step_size * step, scores + step_size * change)
        if loss_after <= loss_before + 1e-4 * step_size * slope + rounding:
            return step_size
        step_size /= 2
    return 0.0
