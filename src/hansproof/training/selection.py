"""Accuracy on the items that parameters are chosen by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..scoring import expected_credit
from ..types import Items


def selection_accuracy(scores: Sequence[tuple[float, ...]], items: Items) -> float:
    """Return the share of items whose answer scores highest; ties share the credit.

    Items with a single choice count by how often a right choice scores above a wrong one.
    """
    pairs = list(zip(scores, items, strict=True))
    choice_credits = [_item_credit(row, item.answer) for row, item in pairs if len(row) > 1]
    single_scores = [(row[0], item.answer == 0) for row, item in pairs if len(row) == 1]
    single_credit = len(single_scores) * _pairwise_accuracy(single_scores)
    return (sum(choice_credits) + single_credit) / len(pairs)


def _item_credit(row: tuple[float, ...], answer: int | None) -> float:
    return 0.0 if answer is None else expected_credit(row, answer)


def _pairwise_accuracy(single_scores: Sequence[tuple[float, bool]]) -> float:
    """Return how often a right choice scores above a wrong one; 0.5 if there are no pairs."""
    good = np.array([score for score, is_right in single_scores if is_right])
    bad = np.sort([score for score, is_right in single_scores if not is_right])
    if not len(good) or not len(bad):
        return 0.5
    below = np.searchsorted(bad, good, "left") + np.searchsorted(bad, good, "right")
    return float(below.mean() / 2 / len(bad))
