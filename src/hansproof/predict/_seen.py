"""Items on their way to the model of a run: as its view shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..errors import ModelError
from ..models._rows import rows
from ..training.task import Task
from ..types import Items, View
from ..views import Scores, rejoined, see
from ._plan import Run


@dataclass(frozen=True, slots=True)
class Seen:
    """Items through the view of a run."""

    run: Run
    view: View

    def task(self, items: Items, select: Items) -> Task:
        """What a model is to learn of these."""
        seed = self.run.seed
        return Task(see(self.view, items, seed), see(self.view, select, seed), seed)

    def shown(self, items: Items) -> list[Items]:
        """What is there to be seen of each item, without its answer; one or more."""
        each = iter(see(self.view, items, self.run.seed, answers=False))
        sizes = (1 if self.view.contrast else len(item.choices) for item in items)
        return [tuple(islice(each, size)) for size in sizes]

    def score(self, model: Any, items: Items, shown: Sequence[Items]) -> Scores:
        """A row of scores for each item of which that is shown."""
        asked = tuple(one for some in shown for one in some)
        run = self.run
        where = f" (view {run.view}, seed {run.seed})"
        found = rows(model.score(asked), asked, run.model, where)
        odd = next((one for row in found for one in row if not math.isfinite(one)), None)
        if odd is not None:
            raise ModelError(f"{run.model}: a score is {odd}{where}")
        return rejoined(self.view, items, found)
