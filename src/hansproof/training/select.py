"""How well scores do on the items that are there to choose by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..credit import credit
from ..types import Items


def right(scores: Sequence[tuple[float, ...]], items: Items) -> float:
    """The share of items whose answer is ahead; who shares the lead shares the credit.

    Of questions with one choice: how often a right choice is ahead of a wrong one.
    """
    pairs = list(zip(scores, items, strict=True))
    several = [_earned(row, item.answer) for row, item in pairs if len(row) > 1]
    alone = [(row[0], item.answer == 0) for row, item in pairs if len(row) == 1]
    return (sum(several) + len(alone) * _ahead(alone)) / len(pairs)


def _earned(row: tuple[float, ...], answer: int | None) -> float:
    return 0.0 if answer is None else credit(row, answer)


def _ahead(alone: Sequence[tuple[float, bool]]) -> float:
    """How often a right one is ahead of a wrong one, over all pairs; a half where there is none."""
    good = np.array([score for score, is_right in alone if is_right])
    bad = np.sort([score for score, is_right in alone if not is_right])
    if not len(good) or not len(bad):
        return 0.5
    below = np.searchsorted(bad, good, "left") + np.searchsorted(bad, good, "right")
    return float(below.mean() / 2 / len(bad))
