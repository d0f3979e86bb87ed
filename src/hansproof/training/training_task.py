"""Training tasks, and learners that train several of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..types import Items, Learner, Model


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """One training: the items to learn from, the items to select by, and a seed."""

    items: Items
    select: Items
    seed: int


# called with the share of all tasks' work that is done, and the accuracy on the select items
ProgressCallback = Callable[[float, float | None], None]


@runtime_checkable
class BatchLearner(Learner, Protocol):
    """A learner that can train several tasks at once, as on a GPU."""

    def batch_capacity(self) -> int:
        """Return how many tasks it should be given at once."""

    def fit_many(
        self, tasks: Sequence[TrainingTask], on_progress: ProgressCallback, /
    ) -> Iterator[Model]:
        """Yield fitted models in the order of the tasks.

        Each model is used before the next is requested, and may be discarded after that.
        """
