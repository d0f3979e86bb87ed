"""Training and test items: each split cross-validated, and each split from the training split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...stats import assign_folds, group_count
from ...types import POOLED, Benchmark, Items, TrainingProtocol
from .._splits import labelled_splits, tested_parts

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class EvaluationPart:
    """A split to answer, after training on its other folds or on another split."""

    split: str
    protocol: TrainingProtocol
    trained_on: str
    indices: NDArray[np.int64]  # the items concerned, among all labelled ones
    is_tested: Mask  # which of those are answered

    def fold_tasks(
        self, units: Sequence[str], k: int, repeats: int, seed: int
    ) -> list[list[FoldTask]]:
        """Return, for every repeat, one task per fold; `k` is the number of folds."""
        if self.protocol == "train-test":
            return [[FoldTask(~self.is_tested, self.is_tested)]]
        part_units = [units[index] for index in self.indices]
        k = min(k, group_count(part_units))
        return [
            [FoldTask(fold != test_fold, fold == test_fold) for test_fold in range(k)]
            for repeat in range(repeats)
            for fold in [assign_folds(part_units, k, seed + repeat)]
        ]


@dataclass(frozen=True, slots=True)
class FoldTask:
    """The training and the test items of one ranker."""

    is_train: Mask
    is_test: Mask


def build_parts(
    benchmark: Benchmark, split: str | None
) -> tuple[Items, list[EvaluationPart], tuple[str, ...]]:
    """Return all labelled items, the parts to evaluate, and notes on skipped splits.

    The parts are every labelled split, all of them pooled, and every other split after training on
    the training split.
    """
    splits, _ = labelled_splits(benchmark, split)
    tested, notes = tested_parts(benchmark, split)
    items = tuple(item for split_items in splits.values() for item in split_items)
    ends = np.cumsum([len(split_items) for split_items in splits.values()])
    indices_by_split = dict(zip(splits, np.split(np.arange(len(items)), ends[:-1]), strict=True))
    selected = (
        {**indices_by_split, POOLED: np.arange(len(items))} if len(splits) > 1 else indices_by_split
    )
    all_parts = [
        EvaluationPart(name, "cv", name, indices, np.ones(indices.size, np.bool_))
        for name, indices in selected.items()
        if name in tested
    ]
    train = benchmark.roles.get("train")
    for name, indices in indices_by_split.items():
        if train in indices_by_split and name != train and name in tested:
            train_and_test = np.concatenate([indices_by_split[train], indices])
            is_tested = np.arange(train_and_test.size) >= indices_by_split[train].size
            all_parts.append(EvaluationPart(name, "train-test", train, train_and_test, is_tested))
    return items, all_parts, notes
