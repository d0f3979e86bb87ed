"""What a run is worth on the items it is about."""

from __future__ import annotations

import math
from math import fsum

from ..scoring import expected_credit, is_tied
from ..types import Items, Predictions


def compute_metrics(predictions: Predictions, items: Items) -> dict[str, float | int | None]:
    """Accuracy with its company; none where items have no answers. Ties count by expectation."""
    rows = [predictions.scores[item.id] for item in items]
    labelled = all(item.answer is not None for item in items)
    train_accuracy = predictions.train_accuracy
    return {
        "accuracy": mean_accuracy(rows, items) if labelled else None,
        "chance": chance_accuracy(items),
        "n": len(items),
        "tie_rate": sum(map(is_tied, rows)) / len(items),
        # JSON has no word for what is no number
        "train_accuracy": None
        if train_accuracy is None or math.isnan(train_accuracy)
        else train_accuracy,
    }


def mean_accuracy(rows: list[tuple[float, ...]], items: Items) -> float:
    """Mean credit of rows of scores."""
    item_credits = (
        expected_credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True)
    )
    return fsum(item_credits) / len(items)


def chance_accuracy(items: Items) -> float:
    """What guessing earns."""
    return fsum(1 / len(item.choices) for item in items) / len(items)
