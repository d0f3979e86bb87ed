"""What a run is worth on the items it is about."""

from __future__ import annotations

from math import fsum

from ..credit import credit, tied
from ..types import Items, Predictions


def measures(run: Predictions, items: Items) -> dict[str, float | int | None]:
    """Accuracy with its company; none where items have no answers. Ties count by expectation."""
    rows = [run.scores[item.id] for item in items]
    labelled = all(item.answer is not None for item in items)
    return {
        "accuracy": accuracy(rows, items) if labelled else None,
        "chance": fsum(1 / len(item.choices) for item in items) / len(items),
        "n": len(items),
        "tie_rate": sum(map(tied, rows)) / len(items),
        "train_accuracy": run.train_accuracy,
    }


def accuracy(rows: list[tuple[float, ...]], items: Items) -> float:
    """Mean credit of rows of scores."""
    earned = (credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True))
    return fsum(earned) / len(items)
