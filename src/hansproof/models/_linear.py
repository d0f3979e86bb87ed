"""A linear score for choices, trained so that the right one is on top.

The items' choices stand stacked as rows of numbers; item i has the rows first[i] to first[i + 1].
Of several choices the scores go through a softmax; one alone is a yes-or-no question, and only
there the bias counts. The loss is convex, so Newton's method finds the one solution there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..types import Items

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 2048  # rows worked on at a time: second derivatives need copies of them
_BIAS = 1e-6  # penalty on the bias, so that it stays finite where all answers are the same
_STEPS = 100
_NEAR = 1e-10  # a gradient this small, beside the size of the rows, is none


def fit(rows: Floats, first: Ints, answers: Ints, penalty: float) -> tuple[Floats, float]:
    """The weights and the bias that make the answers likeliest, less penalty/2 |weights|².

    An answer is a position among the item's choices; -1 says that the only choice is wrong.
    """
    problem = _problem(rows, first, answers, penalty)
    solution = np.zeros(rows.shape[1] + 1)  # the weights, and last the bias
    near = _NEAR * (1 + float(np.sqrt(np.einsum("ij,ij->", rows, rows) + len(rows))))
    for _ in range(_STEPS):
        scores = problem.scores(solution)
        shares = problem.shares(scores)
        gradient = problem.gradient(solution, shares)
        if float(np.linalg.norm(gradient)) <= near:
            break
        step = np.asarray(np.linalg.solve(problem.curvature(shares), -gradient), np.float64)
        length = _length(problem, solution, scores, step, gradient)
        if not length:  # as near as rounding allows
            break
        solution = solution + length * step
    return solution[:-1], float(solution[-1])


def scores(rows: Floats, weights: Floats, bias: float) -> Floats:
    """The score of every row; equal rows get equal scores, to the last bit.

    Which a matrix product does not promise: it sums differently from row to row.
    """
    blocks = range(0, len(rows), _BLOCK)
    parts = [(rows[at : at + _BLOCK] * weights).sum(axis=1) + bias for at in blocks]
    return np.concatenate([np.empty(0), *parts])


def layout(items: Items) -> tuple[Ints, Ints]:
    """Where the rows of each item begin, and the answers, -1 for none."""
    sizes = [len(item.choices) for item in items]
    answers = [-1 if item.answer is None else item.answer for item in items]
    return np.cumsum([0, *sizes]), np.array(answers, np.int64)


def by_item(items: Items, scores: NDArray[np.floating]) -> list[tuple[float, ...]]:
    """The scores of all rows, parted by item."""
    each = iter(scores.tolist())
    return [tuple(next(each) for _ in item.choices) for item in items]


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is to be minimised, and its derivatives."""

    rows: Floats
    first: Ints
    right: Ints  # the rows that are answers
    sizes: Ints  # choices by item
    alone: NDArray[np.bool_]  # by row: the only choice of its item
    penalties: Floats

    def scores(self, solution: Floats) -> Floats:
        """The score of every row."""
        return np.asarray(self.rows @ solution[:-1] + self.alone * solution[-1])

    def loss(self, solution: Floats, scores: Floats) -> float:
        """Minus the log-likelihood, and the penalty."""
        top, total = self._sums(scores)
        likelihood = float(scores[self.right].sum() - (top + np.log(total)).sum())
        return float(self.penalties @ solution**2) / 2 - likelihood

    def shares(self, scores: Floats) -> Floats:
        """How likely each row is held to be its item's answer."""
        top, total = self._sums(scores)
        return np.asarray(np.exp(scores - self._spread(top)) / self._spread(total))

    def gradient(self, solution: Floats, shares: Floats) -> Floats:
        """The first derivatives of the loss."""
        excess = shares.copy()
        excess[self.right] -= 1
        slope = np.append(self.rows.T @ excess, excess[self.alone].sum())
        return np.asarray(slope + self.penalties * solution)

    def curvature(self, shares: Floats) -> Floats:
        """The second derivatives of the loss."""
        weights = np.sqrt(np.where(self.alone, shares * (1 - shares), shares))
        total = np.diag(self.penalties)
        for begin, end in self._blocks():
            low, high = self.first[begin], self.first[end]
            part = np.column_stack([self.rows[low:high], self.alone[low:high]])
            starts, sizes = self.first[begin:end] - low, self.sizes[begin:end]
            centres = np.add.reduceat(part * shares[low:high, None], starts)
            centres[sizes == 1] = 0  # beside an only choice stands a score that is always 0
            part -= np.repeat(centres, sizes, axis=0)
            part *= weights[low:high, None]
            total += part.T @ part
        return total

    def _sums(self, scores: Floats) -> tuple[Floats, Floats]:
        """By item: the highest score, and the sum of all exponents less that score."""
        only = self.sizes == 1
        top = np.maximum.reduceat(scores, self.first[:-1])
        top = np.where(only, np.maximum(top, 0), top)
        total = np.add.reduceat(np.exp(scores - self._spread(top)), self.first[:-1])
        # |top|, which is top where it matters: elsewhere the exponent could be too large
        return top, total + only * np.exp(-np.abs(top))

    def _spread(self, by_item: Floats) -> Floats:
        return np.repeat(by_item, self.sizes)

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """Runs of whole items with about as many rows as a block has."""
        begin, items = 0, len(self.sizes)
        while begin < items:
            end = int(np.searchsorted(self.first, self.first[begin] + _BLOCK, side="right")) - 1
            end = min(max(end, begin + 1), items)
            yield begin, end
            begin = end


def _problem(rows: Floats, first: Ints, answers: Ints, penalty: float) -> _Problem:
    sizes = np.diff(first)
    given = answers >= 0
    penalties = np.append(np.full(rows.shape[1], float(penalty)), _BIAS)
    alone = np.repeat(sizes == 1, sizes)
    return _Problem(rows, first, first[:-1][given] + answers[given], sizes, alone, penalties)


def _length(
    problem: _Problem, solution: Floats, scores: Floats, step: Floats, gradient: Floats
) -> float:
    """How far to go along a step: all of it, or half, or a quarter, until the loss goes down."""
    change = problem.scores(step)
    before, slope = problem.loss(solution, scores), float(gradient @ step)
    rounding = 1e-14 * (1 + abs(before))
    length = 1.0
    while length > 1e-12:
        after = problem.loss(solution + length * step, scores + length * change)
        if after <= before + 1e-4 * length * slope + rounding:
            return length
        length /= 2
    return 0.0
