"""A ladder of blind models: one for each rung, and one that adds the rungs up.

A rung's model is a ranker over the features of the rung alone, cross-validated. On each set of
training folds the scores of the rungs so far are weighted by a conditional logit, which is fitted
to scores of rankers that saw neither the item nor the folds to be answered. Joined features are no
part of a ranker: the rules found in one half of the items add their log-odds in the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..cues.counts import ChoiceLayout
from ..linear.features import FeatureBags
from ..linear.ranker import LANES, lane_credits, score_choices, train_ranker
from ..linear.solver import fit_weights
from ..stats import Floats
from .features import FeatureBlock, Ints, Mask

Scores = NDArray[np.float32]

PENALTY = 3.0  # of the weights of a rung, as in the bag of words
EPOCHS = 6  # as good as ten, and permuted answers take most of the time
STACK_PENALTY = 1.0  # of the weight of a rung


@dataclass(frozen=True, slots=True)
class RungScores:
    """The scores of all choices by a rung's rankers, none of which saw the item.

    `inner[k]` are the scores of rankers that did not see fold k either.
    """

    rung: str
    outer: Floats
    inner: tuple[Floats, ...]


@dataclass(frozen=True, slots=True)
class FoldPlan:
    """The folds of a cross-validation, and the sets of folds that rankers must not see."""

    layout: ChoiceLayout
    answers: Ints
    fold: Ints  # by item
    n_folds: int

    @property
    def held_out(self) -> list[tuple[int, ...]]:
        """List the folds that each ranker does not see: each alone, and each two."""
        singles = [(k,) for k in range(self.n_folds)]
        return [*singles, *combinations(range(self.n_folds), 2)]


def score_rung(block: FeatureBlock, plan: FoldPlan) -> RungScores:
    """Cross-validate the ranker of a rung, with an inner cross-validation on each training set."""
    bags, held_out = block.bags(plan.layout), plan.held_out
    columns: list[Scores] = []
    for start in range(0, len(held_out), LANES):
        batch = held_out[start : start + LANES]
        learns = np.stack([~np.isin(plan.fold, folds) for folds in batch], axis=1)
        answers = np.repeat(plan.answers[:, None], len(batch), axis=1).astype(np.int16)
        columns += [*score_choices(bags, _train(bags, answers, learns)).T]
    by_folds = dict(zip(held_out, columns, strict=True))
    fold = plan.fold[plan.layout.item]
    inner = []
    for k in range(plan.n_folds):
        scores = np.zeros(fold.size)
        for other in range(plan.n_folds):
            if other != k:
                pair = (min(k, other), max(k, other))
                scores[fold == other] = by_folds[pair][fold == other]
        inner.append(scores)
    outer = np.select([fold == k for k in range(plan.n_folds)],
                      [by_folds[k,] for k in range(plan.n_folds)])  # fmt: skip
    return RungScores(block.rung, outer.astype(np.float64), tuple(inner))


def _train(bags: FeatureBags, answers: NDArray[np.int16], learns: NDArray[np.bool_]) -> Scores:
    return train_ranker(bags, answers, learns, PENALTY, seed=0, epochs=EPOCHS)


def add_rungs(rungs: Sequence[RungScores], plan: FoldPlan) -> tuple[Floats, Floats]:
    """Weight the scores of several rungs; return the scores of all choices, and of each fold's
    training items, by fold and choice.
    """
    item = plan.layout.item
    scores = np.zeros(item.size)
    training_scores = np.zeros((plan.n_folds, item.size))
    outer = np.stack([rung.outer for rung in rungs], axis=1)
    for k in range(plan.n_folds):
        learns = plan.fold != k
        if not learns.any():  # there is one fold only
            continue
        rows = np.stack([rung.inner[k] for rung in rungs], axis=1)
        spread = rows[learns[item]].std(axis=0)
        spread[spread == 0] = 1.0
        weights = _weight_rungs(rows[learns[item]] / spread, learns, plan) / spread
        training_scores[k] = rows @ weights
        scores[~learns[item]] = outer[~learns[item]] @ weights
    return np.round(scores, 9), np.round(training_scores, 9)


def _weight_rungs(rows: Floats, learns: Mask, plan: FoldPlan) -> Floats:
    """Return the weight of each rung, from its scores of the training items; never negative.

    By chance alone, scores of cross-validated rankers go against the answers a little, as what one
    fold has more of the others have less of. A negative weight would make use of that.
    """
    offsets = np.concatenate(([0], np.cumsum(np.diff(plan.layout.first)[learns])))
    weights, columns = np.zeros(rows.shape[1]), np.arange(rows.shape[1])
    while columns.size:
        fitted, _ = fit_weights(rows[:, columns], offsets, plan.answers[learns], STACK_PENALTY)
        if (fitted >= 0).all():
            weights[columns] = fitted
            break
        columns = columns[fitted >= 0]
    return weights


def item_credits(scores: Floats, plan: FoldPlan) -> Floats:
    """Return what each item earns: 1 if its answer scores highest, 1/t if it ties with others."""
    columns = scores.astype(np.float64)[:, None]
    answers = plan.answers.astype(np.int16)[:, None]
    return lane_credits(plan.layout.first, columns, answers)[:, 0]


def null_credits(
    bags: FeatureBags, fold: Ints, n_folds: int, permuted: NDArray[np.int16]
) -> Floats:
    """Return the mean credit of a rung's rankers for each column of permuted answers."""
    totals = np.zeros(permuted.shape[1])
    lanes = [(column, k) for column in range(permuted.shape[1]) for k in range(n_folds)]
    for start in range(0, len(lanes), LANES):
        batch = lanes[start : start + LANES]
        answers = permuted[:, [column for column, _ in batch]]
        learns = np.stack([fold != k for _, k in batch], axis=1)
        scores = score_choices(bags, _train(bags, answers, learns))
        credits = np.where(learns, 0.0, lane_credits(bags.first, scores, answers)).sum(axis=0)
        np.add.at(totals, [column for column, _ in batch], credits)
    return totals / fold.size
