"""The items of a run as its view shows them to the model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..errors import ModelError
from ..scoring import check_scores
from ..training.training_task import TrainingTask
from ..types import Items, View
from ..views import Scores, apply_view, regroup_scores
from .plan import RunSpec


@dataclass(frozen=True, slots=True)
class ViewedRun:
    """A run with its parsed view; converts items for the model, and scores back to items."""

    run: RunSpec
    view: View

    def make_task(self, items: Items, select: Items) -> TrainingTask:
        """Make the training task for these items, as the view shows them."""
        seed = self.run.seed
        return TrainingTask(
            apply_view(self.view, items, seed), apply_view(self.view, select, seed), seed
        )

    def visible_items(self, items: Items) -> list[Items]:
        """Return what the view shows of each item, without answers: one or more items for each."""
        viewed_items = iter(apply_view(self.view, items, self.run.seed, answers=False))
        sizes = (1 if self.view.side_by_side else len(item.choices) for item in items)
        return [tuple(islice(viewed_items, size)) for size in sizes]

    def score(self, model: Any, items: Items, visible_items: Sequence[Items]) -> Scores:
        """Return a row of scores for each item, of which the model sees `visible_items`."""
        questions = tuple(question for group in visible_items for question in group)
        run = self.run
        context = f" (view {run.view}, seed {run.seed})"
        scores = check_scores(model.score(questions), questions, run.model, context)
        bad_score = next(
            (value for row in scores for value in row if not math.isfinite(value)), None
        )
        if bad_score is not None:
            raise ModelError(f"{run.model}: a score is {bad_score}{context}")
        return regroup_scores(self.view, items, scores)
