"""What a model gave, as rows of numbers: one for each item, in it one for each choice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import ModelError
from ..types import Items
from ..views import Scores


def rows(given: Iterable[Any], asked: Items, who: str, where: str = "") -> Scores:
    """The rows as floats, which need not be finite; any other number of them is refused."""
    try:
        found = [tuple(map(float, row)) for row in given]
    except (TypeError, ValueError):
        what = "gave something else than a row of numbers by item"
        raise ModelError(f"{who}: {what}{where}") from None
    if len(found) != len(asked):
        what = f"gave {len(found)} rows of scores for {len(asked)} items"
        raise ModelError(f"{who}: {what}{where}")
    for row, item in zip(found, asked, strict=True):
        if len(row) != len(item.choices):
            what = f"gave {len(row)} scores for {len(item.choices)} choices"
            raise ModelError(f"{who}: {what}{where}")
    return found
