"""Rankers over one view, trained on many folds and many permutations of the answers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..._infra.progress import track
from ...linear.features import FeatureBags
from ...linear.ranker import LANES, RankerWeights, lane_credits, score_choices, train_ranker
from ...stats import Floats
from .splits import FoldTask

Answers = NDArray[np.int16]
T = TypeVar("T")


class ViewRanker:
    """Rankers for the items of one part under one view."""

    def __init__(
        self,
        bags: FeatureBags,
        first: NDArray[np.int64],
        repeats: list[list[FoldTask]],
        penalty: float,
    ) -> None:
        self.bags, self.first, self.repeats, self.penalty = bags, first, repeats, penalty
        # one choice at a time: every choice is an item of its own
        self.sizes = np.diff(first)
        self.trained_weights: list[
            tuple[RankerWeights, list[FoldTask]]
        ] = []  # of the last `scores`
        self.one_by_one = bags.first.size != first.size

    def cross_validated_scores(self, answers: Answers) -> list[NDArray[np.float32]]:
        """Return, by repeat, the scores of all choices from rankers that did not see the item."""
        lanes = [(repeat, task) for repeat, tasks in enumerate(self.repeats) for task in tasks]
        out = [np.zeros(int(self.first[-1]), np.float32) for _ in self.repeats]
        self.trained_weights = []
        for batch in _split_batches(lanes):
            weights = self._train_lanes(answers, [0] * len(batch), [task for _, task in batch])
            self.trained_weights.append((weights, [task for _, task in batch]))
            choice_scores = score_choices(self.bags, weights)
            for lane, (repeat, task) in enumerate(batch):
                held_out = np.repeat(task.is_test, self.sizes)
                out[repeat][held_out] = choice_scores[held_out, lane]
        return out

    def null_accuracies(self, answers: Answers, name: str) -> Floats:
        """Return the accuracy of the first repeat for each column of permuted answers."""
        tasks = self.repeats[0]
        lanes = [(column, task) for column in range(answers.shape[1]) for task in tasks]
        chunks = _split_batches(lanes)
        totals, n_answered = (
            np.zeros(answers.shape[1]),
            sum(int(task.is_test.sum()) for task in tasks),
        )
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # compiled code lets threads run together
            work = (pool.submit(self._lane_credits, answers, chunk) for chunk in chunks)
            for chunk, future in track(
                zip(chunks, list(work), strict=True), len(chunks), f"{name}: permuted answers"
            ):
                for (column, _), value in zip(chunk, future.result(), strict=True):
                    totals[column] += value
        return totals / n_answered

    def _lane_credits(self, answers: Answers, lanes: Sequence[tuple[int, FoldTask]]) -> Floats:
        """Return the credit of each lane on its held-out items."""
        columns = [column for column, _ in lanes]
        choice_scores = score_choices(
            self.bags, self._train_lanes(answers, columns, [task for _, task in lanes])
        )
        item_credits = lane_credits(self.first, choice_scores, answers[:, columns])
        held_out = np.stack([task.is_test for _, task in lanes], axis=1)
        return cast(Floats, np.where(held_out, item_credits, 0.0).sum(axis=0))

    def weights_for(self, item: int, features: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return the mean weights of features over the rankers that answered an item."""
        lane_weights = [
            weights[features, lane]
            for weights, tasks in self.trained_weights
            for lane, task in enumerate(tasks)
            if task.is_test[item]
        ]
        return np.asarray(np.mean(lane_weights, axis=0))

    def _train_lanes(
        self, answers: Answers, columns: list[int], tasks: Sequence[FoldTask]
    ) -> RankerWeights:
        learns = np.stack([task.is_train for task in tasks], axis=1)
        lane_answers = answers[:, columns]
        if self.one_by_one:
            position = np.arange(self.first[-1]) - np.repeat(self.first[:-1], self.sizes)
            right = np.repeat(lane_answers, self.sizes, axis=0) == position[:, None]
            lane_answers, learns = (
                (right - 1).astype(np.int16),
                np.repeat(learns, self.sizes, axis=0),
            )
        return train_ranker(self.bags, lane_answers, learns, self.penalty, seed=0)


def _split_batches(lanes: list[T]) -> list[list[T]]:
    return [lanes[start : start + LANES] for start in range(0, len(lanes), LANES)]
