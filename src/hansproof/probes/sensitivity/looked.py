"""A trained model, looked into: what its scores of items hang on."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from ...credit import credit
from ...models._rows import rows
from ...models._shares import Each, Finder, Tally, tallied
from ...predict import Trained
from ...predict._told import told
from ...types import Cell, Items
from ...views import fields_of, named, see

RUNS = ("model", "group", "items", "skipped", "accuracy", "mean_tokens", "reads", "device")


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What one model said, and what for."""

    name: str
    tally: Tally
    accuracy: float
    reads: str  # its own tokenizer
    device: str
    each: Each  # of every item the shares of each choice
    scores: list[tuple[float, ...]]

    def row(self, group: str) -> tuple[Cell, ...]:
        tokens = [len(one.tokens) for some in self.each for one in some]
        return (
            self.name, group, self.tally.items, self.tally.skipped, self.accuracy,
            statistics.fmean(tokens), self.reads, self.device,
        )  # fmt: skip


def look(
    trained: Trained, items: Items, finder: Finder, method: str, steps: int, picked: bool
) -> Looked:
    """Score the items, and see what the scores hang on."""
    model: Any = trained.model
    seen = see(named("full", fields_of(items)), items, answers=False)
    scores = rows(model.score(seen), seen, trained.name)
    each = model.gradients(seen, method, steps)
    about = told(model)
    right = [credit(s, item.answer or 0) for s, item in zip(scores, items, strict=True)]
    return Looked(
        trained.name,
        tallied(each, finder, scores if picked else None),
        statistics.fmean(right),
        about.tokenizer,
        about.device,
        each,
        scores,
    )
