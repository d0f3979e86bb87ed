"""Tasks to fitted models, whichever way a learner goes about it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from ..training.task import ProgressCallback, TrainingTask


def batch_capacity(model: Any) -> int:
    """How many runs a model wants to be handed at once."""
    return max(1, int(model.room())) if hasattr(model, "room") else 1


def fit_all(
    model: Any,
    tasks: Sequence[TrainingTask],
    on_progress: ProgressCallback = lambda share, accuracy: None,
) -> Generator[Any]:
    """Fitted models in the order of the tasks; nothing is trained before the first is asked for."""
    if tasks and hasattr(model, "fit_many"):
        yield from model.fit_many(tasks, on_progress)
        return
    for index, task in enumerate(tasks):
        on_progress(index / len(tasks), None)
        yield model.fit(task.items, task.select, task.seed)
