"""The only way for items to a model: as the view of its run shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..errors import ModelError
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
        rows = [tuple(map(float, row)) for row in model.score(asked)]
        wrong = _wrong(rows, asked)
        if wrong:
            run = self.run
            raise ModelError(f"{run.model}: {wrong} (view {run.view}, seed {run.seed})")
        return rejoined(self.view, items, rows)


def _wrong(rows: Scores, asked: Items) -> str | None:
    """What is wrong with scores."""
    if len(rows) != len(asked):
        return f"gave {len(rows)} rows of scores for {len(asked)} items"
    for row, item in zip(rows, asked, strict=True):
        if len(row) != len(item.choices):
            return f"gave {len(row)} scores for {len(item.choices)} choices"
        odd = next((score for score in row if not math.isfinite(score)), None)
        if odd is not None:
            return f"a score is {odd}"
    return None
