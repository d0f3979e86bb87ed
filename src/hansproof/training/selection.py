"""How well scores do on the items that are there to choose by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..scoring import expected_credit
from ..types import Items


def selection_accuracy(scores: Sequence[tuple[float, ...]], items: Items) -> float:
    """The share of items whose answer is ahead; who shares the lead shares the credit.

    Of questions with one choice: how often a right choice is ahead of a wrong one.
    """
    pairs = list(zip(scores, items, strict=True))
    choice_credits = [_item_credit(row, item.answer) for row, item in pairs if len(row) > 1]
    single_scores = [(row[0], item.answer == 0) for row, item in pairs if len(row) == 1]
    return (sum(choice_credits) + len(single_scores) * _pairwise_accuracy(single_scores)) / len(
        pairs
    )


def _item_credit(row: tuple[float, ...], answer: int | None) -> float:
    return 0.0 if answer is None else expected_credit(row, answer)


def _pairwise_accuracy(single_scores: Sequence[tuple[float, bool]]) -> float:
    """How often a right one is ahead of a wrong one, over all pairs; a half where there is none."""
    good = np.array([score for score, is_right in single_scores if is_right])
    bad = np.sort([score for score, is_right in single_scores if not is_right])
    if not len(good) or not len(bad):
        return 0.5
    below = np.searchsorted(bad, good, "left") + np.searchsorted(bad, good, "right")
    return float(below.mean() / 2 / len(bad))
