"""Rankers over what a view shows, trained again and again: other folds, other answers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ...bags import Bags
from ...progress import track
from ...ranking import LANES, Weights, earned, score, train
from ...stats import Floats
from .parts import Job

Answers = NDArray[np.int16]
T = TypeVar("T")


class Blind:
    """The items of one part as one view shows them, and what is to be learnt of them."""

    def __init__(
        self, shown: Bags, first: NDArray[np.int64], cuts: list[list[Job]], penalty: float
    ) -> None:
        self.shown, self.first, self.cuts, self.penalty = shown, first, cuts, penalty
        # one choice at a time: every choice is an item of its own
        self.sizes = np.diff(first)
        self.learnt: list[tuple[Weights, list[Job]]] = []  # of the last `scores`
        self.alone = shown.first.size != first.size

    def scores(self, answers: Answers) -> list[NDArray[np.float32]]:
        """For every cut, what each choice scores with the ranker that has not seen its item."""
        jobs = [(cut, job) for cut, some in enumerate(self.cuts) for job in some]
        out = [np.zeros(int(self.first[-1]), np.float32) for _ in self.cuts]
        self.learnt = []
        for some in _batched(jobs):
            weights = self._learn(answers, [0] * len(some), [job for _, job in some])
            self.learnt.append((weights, [job for _, job in some]))
            found = score(self.shown, weights)
            for lane, (cut, job) in enumerate(some):
                held = np.repeat(job.answers, self.sizes)
                out[cut][held] = found[held, lane]
        return out

    def accuracies(self, answers: Answers, name: str) -> Floats:
        """The accuracy of the first cut with each column of answers in place of the real."""
        jobs = self.cuts[0]
        lanes = [(column, job) for column in range(answers.shape[1]) for job in jobs]
        chunks = _batched(lanes)
        totals, answered = np.zeros(answers.shape[1]), sum(int(job.answers.sum()) for job in jobs)
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # compiled code lets threads run together
            work = (pool.submit(self._earned, answers, chunk) for chunk in chunks)
            for chunk, future in track(
                zip(chunks, list(work), strict=True), len(chunks), f"{name}: null"
            ):
                for (column, _), value in zip(chunk, future.result(), strict=True):
                    totals[column] += value
        return totals / answered

    def _earned(self, answers: Answers, lanes: Sequence[tuple[int, Job]]) -> Floats:
        """What each lane earns on the items it answers."""
        columns = [column for column, _ in lanes]
        found = score(self.shown, self._learn(answers, columns, [job for _, job in lanes]))
        each = earned(self.first, found, answers[:, columns])
        held = np.stack([job.answers for _, job in lanes], axis=1)
        return cast(Floats, np.where(held, each, 0.0).sum(axis=0))

    def weights_for(self, item: int, features: NDArray[np.int32]) -> NDArray[np.float32]:
        """The mean weights of features over the rankers that answered an item."""
        own = [
            weights[features, lane]
            for weights, jobs in self.learnt
            for lane, job in enumerate(jobs)
            if job.answers[item]
        ]
        return np.asarray(np.mean(own, axis=0))

    def _learn(self, answers: Answers, columns: list[int], jobs: Sequence[Job]) -> Weights:
        learns = np.stack([job.learns for job in jobs], axis=1)
        given = answers[:, columns]
        if self.alone:
            place = np.arange(self.first[-1]) - np.repeat(self.first[:-1], self.sizes)
            right = np.repeat(given, self.sizes, axis=0) == place[:, None]
            given, learns = (right - 1).astype(np.int16), np.repeat(learns, self.sizes, axis=0)
        return train(self.shown, given, learns, self.penalty, seed=0)


def _batched(lanes: list[T]) -> list[list[T]]:
    return [lanes[at : at + LANES] for at in range(0, len(lanes), LANES)]
