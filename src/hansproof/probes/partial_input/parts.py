"""What is learnt and what is answered: each split by cross-validation, and one from another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...stats import folds, group_count
from ...types import POOLED, Benchmark, Items, Protocols
from .._splits import labelled

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Part:
    """A split that is answered, after learning in its own folds or from another split."""

    split: str
    protocol: Protocols
    trained_on: str
    where: NDArray[np.int64]  # the items concerned, among all labelled ones
    answered: Mask  # which of those are answered

    def jobs(self, units: Sequence[str], k: int, cuts: int, seed: int) -> list[list[Job]]:
        """What is to be learnt: for every cut into folds, one job per fold; k is their number."""
        if self.protocol == "train-test":
            return [[Job(~self.answered, self.answered)]]
        own = [units[at] for at in self.where]
        k = min(k, group_count(own))
        return [
            [Job(fold != held, fold == held) for held in range(k)]
            for cut in range(cuts)
            for fold in [folds(own, k, seed + cut)]
        ]


@dataclass(frozen=True, slots=True)
class Job:
    """One ranker: what it learns from, what it then answers."""

    learns: Mask
    answers: Mask


def parts(benchmark: Benchmark, split: str | None) -> tuple[Items, list[Part], tuple[str, ...]]:
    """All labelled items, the parts to look at, and notes about what was passed over.

    Every labelled split by itself, then all of them together, then every other split after
    learning from the one for training.
    """
    found, notes = labelled(benchmark, split)
    items = tuple(item for some in found.values() for item in some)
    ends = np.cumsum([len(some) for some in found.values()])
    places = dict(zip(found, np.split(np.arange(len(items)), ends[:-1]), strict=True))
    chosen = {**places, POOLED: np.arange(len(items))} if len(found) > 1 else places
    all_parts = [
        Part(name, "cv", name, where, np.ones(where.size, np.bool_))
        for name, where in chosen.items()
    ]
    train = benchmark.roles.get("train")
    for name, where in places.items():
        if train in places and name != train:
            both = np.concatenate([places[train], where])
            answered = np.arange(both.size) >= places[train].size
            all_parts.append(Part(name, "train-test", train, both, answered))
    return items, all_parts, notes
