"""The incidence of cues: which cue occurs in which choice of which item."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._infra.compilation import compile_function, is_small
from .counts import ChoiceLayout, CueCounts


@dataclass(frozen=True, slots=True)
class Incidence:
    """Which cue singles out which choice of which item: one row each, for cues of all orders.

    Rows are sorted by item; those of item i are start[i] .. start[i + 1] - 1.
    """

    cues: int
    start: NDArray[np.int64]
    cue: NDArray[np.int64]
    item: NDArray[np.int64]
    choice: NDArray[np.int64]
    hit: NDArray[np.bool_]

    def mean_chance(self, layout: ChoiceLayout) -> NDArray[np.float64]:
        """Return the mean of 1/m over the items that each cue applies to."""
        sums = np.bincount(self.cue, layout.chance[self.item], self.cues)
        return sums / np.bincount(self.cue, minlength=self.cues)


@dataclass(frozen=True, slots=True)
class CueSet:
    """Cues of one kind: the n-grams of one order, or the rules of a search."""

    incidence: Incidence
    name: Callable[[int], str]  # of a cue, by its number
    n_rare: NDArray[np.int64]  # by item: cues that occur nowhere else, which have no rows


def build_incidence(counts: list[CueCounts], layout: ChoiceLayout, min_items: int) -> Incidence:
    """Collect the rows of cues that apply to at least `min_items` items; cues are renumbered."""
    cue, text, cues = [], [], 0
    for order_counts in counts:
        is_frequent = order_counts.applicability >= min_items
        number = np.cumsum(is_frequent) - 1 + cues
        rows = is_frequent[order_counts.ngram]
        cue.append(number[order_counts.ngram[rows]])
        text.append(order_counts.text[rows].astype(np.int64))
        cues += int(is_frequent.sum())
    texts = np.concatenate(text)
    by_item, start = sort_rows_by(layout.item[texts], layout.chance.size)
    texts = texts[by_item]
    item = layout.item[texts].astype(np.int64)
    choice = texts - layout.first[item]
    hit = layout.is_answer[texts] == 1
    return Incidence(cues, start, np.concatenate(cue)[by_item], item, choice, hit)


def sort_rows_by(
    number: NDArray[np.integer], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sort rows by number: return row indices, and where the rows of each number start."""
    if is_small(number.size):
        start = np.concatenate(([0], np.cumsum(np.bincount(number, minlength=size))))
        return np.argsort(number, kind="stable"), start
    rows: tuple[NDArray[np.int64], NDArray[np.int64]] = _count_and_place(number, size)
    return rows


@compile_function()
def _count_and_place(number, size):  # type: ignore[no-untyped-def]
    start = np.zeros(size + 1, np.int64)
    for n in number:
        start[n + 1] += 1
    start = np.cumsum(start)
    free = start[:-1].copy()
    rows = np.empty(number.size, np.int64)
    for row in range(number.size):
        rows[free[number[row]]] = row
        free[number[row]] += 1
    return rows, start
