"""What a run is worth on the items it is about."""

from __future__ import annotations

import math
from math import fsum

from ..credit import credit, tied
from ..types import Items, Predictions


def measures(run: Predictions, items: Items) -> dict[str, float | int | None]:
    """Accuracy with its company; none where items have no answers. Ties count by expectation."""
    rows = [run.scores[item.id] for item in items]
    labelled = all(item.answer is not None for item in items)
    learnt = run.train_accuracy
    return {
        "accuracy": accuracy(rows, items) if labelled else None,
        "chance": chance(items),
        "n": len(items),
        "tie_rate": sum(map(tied, rows)) / len(items),
        # JSON has no word for what is no number
        "train_accuracy": None if learnt is None or math.isnan(learnt) else learnt,
    }


def accuracy(rows: list[tuple[float, ...]], items: Items) -> float:
    """Mean credit of rows of scores."""
    earned = (credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True))
    return fsum(earned) / len(items)


def chance(items: Items) -> float:
    """What guessing earns."""
    return fsum(1 / len(item.choices) for item in items) / len(items)
