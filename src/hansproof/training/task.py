"""What a learner is handed to learn, one or several at once, and how it tells how far it is.

A learner has `fit(items, select, seed)`. It may have `fit_many(tasks, watch)` beside it, for
several trainings at once: an iterator of fitted models in the order of the tasks. Each is used
before the next is asked for, and may be forgotten then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..types import Items


@dataclass(frozen=True, slots=True)
class TrainingTask:
    """One training: items to learn from and to choose by, as a view shows them, and a seed."""

    items: Items
    select: Items
    seed: int


# told the share of all tasks' work that is done, and the current accuracy on the select items
ProgressCallback = Callable[[float, float | None], None]
