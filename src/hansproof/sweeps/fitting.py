"""Fitting of training tasks, one at a time or together, as the model can."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from ..capabilities import BatchLearner
from ..training.training_task import ProgressCallback, TrainingTask


def fit_all(
    model: Any,
    tasks: Sequence[TrainingTask],
    on_progress: ProgressCallback = lambda share, accuracy: None,
) -> Generator[Any]:
    """Yield fitted models in the order of the tasks; training starts with the first request."""
    if tasks and isinstance(model, BatchLearner):
        yield from model.fit_many(tasks, on_progress)
        return
    for index, task in enumerate(tasks):
        on_progress(index / len(tasks), None)
        yield model.fit(task.items, task.select, task.seed)
