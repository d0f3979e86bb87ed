"""Items on their way to the model of a run: as its view shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..errors import ModelError
from ..scoring import check_scores
from ..training.task import TrainingTask
from ..types import Items, View
from ..views import Scores, apply_view, regroup_scores
from .plan import RunSpec


@dataclass(frozen=True, slots=True)
class ViewedRun:
    """Items through the view of a run."""

    run: RunSpec
    view: View

    def make_task(self, items: Items, select: Items) -> TrainingTask:
        """What a model is to learn of these."""
        seed = self.run.seed
        return TrainingTask(
            apply_view(self.view, items, seed), apply_view(self.view, select, seed), seed
        )

    def visible_items(self, items: Items) -> list[Items]:
        """What is there to be seen of each item, without its answer; one or more."""
        viewed_items = iter(apply_view(self.view, items, self.run.seed, answers=False))
        sizes = (1 if self.view.side_by_side else len(item.choices) for item in items)
        return [tuple(islice(viewed_items, size)) for size in sizes]

    def score(self, model: Any, items: Items, visible_items: Sequence[Items]) -> Scores:
        """A row of scores for each item of which that is shown."""
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
