"""What a model gave, as rows of numbers: one for each item, in it one for each choice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .errors import ModelError
from .types import Items
from .views import Scores


def check_scores(scores: Iterable[Any], items: Items, model_name: str, context: str = "") -> Scores:
    """The rows as floats, which need not be finite; any other number of them is refused."""
    try:
        float_rows = [tuple(map(float, row)) for row in scores]
    except (TypeError, ValueError):
        message = "gave something else than a row of numbers by item"
        raise ModelError(f"{model_name}: {message}{context}") from None
    if len(float_rows) != len(items):
        message = f"gave {len(float_rows)} rows of scores for {len(items)} items"
        raise ModelError(f"{model_name}: {message}{context}")
    for row, item in zip(float_rows, items, strict=True):
        if len(row) != len(item.choices):
            message = f"gave {len(row)} scores for {len(item.choices)} choices"
            raise ModelError(f"{model_name}: {message}{context}")
    return float_rows
