"""Features of choices that are present or absent, by rung of the ladder.

A feature that all choices of an item have cannot tell them apart, so a ranker does not see it
there; joined with another, it says in which items that one counts. Rare features are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ..cues.counts import ChoiceLayout
from ..linear.features import FeatureBags

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

MIN_ITEMS = 2  # in which a feature must tell choices apart, to be learnt
ITEMS_PER_MIN = 4000  # on large benchmarks, one more for each so many
MIN_JOINED_ITEMS = 16  # that have a feature in some choice, for it to be joined with others


@dataclass(frozen=True, slots=True)
class FeatureBlock:
    """The features of one rung: each row is a feature that a choice has."""

    rung: str
    feature: NDArray[np.int32]  # rows are sorted by choice
    choice: NDArray[np.int32]
    shared_feature: NDArray[np.int32]  # rows of items in which all choices have the feature
    shared_choice: NDArray[np.int32]
    n_items: Ints  # by feature: items in which it tells choices apart
    n_shared: Ints  # by feature: items in which all choices have it
    name: Callable[[int], str]  # what a choice with the feature is like: `has “not”`

    @property
    def size(self) -> int:
        """The number of features."""
        return self.n_items.size

    def column(self, feature: int, n_choices: int) -> Mask:
        """Return which choices have a feature."""
        column = np.zeros(n_choices, np.bool_)
        column[self.choice[self.feature == feature]] = True
        column[self.shared_choice[self.shared_feature == feature]] = True
        return column

    def bags(self, layout: ChoiceLayout) -> FeatureBags:
        """Return the features as bags, for a linear ranker."""
        start = np.searchsorted(self.choice, np.arange(layout.item.size + 1))
        keys = np.arange(self.size, dtype=np.uint64)
        return FeatureBags(layout.first, start, self.feature, keys, (), (), 0)


def min_items(n_items: int) -> int:
    """Return in how many items a feature must tell choices apart."""
    return MIN_ITEMS + n_items // ITEMS_PER_MIN


def build_block(
    rung: str, keys: Ints, choice: Ints, layout: ChoiceLayout, name_key: Callable[[int], str]
) -> FeatureBlock:
    """Build the features of a rung from rows of a key and a choice that has it; rows may repeat."""
    fewest = min_items(layout.chance.size)
    distinct, number = _number_keys(keys)
    # most keys are rare: they go before the rows are sorted
    is_kept = (np.bincount(number, minlength=distinct.size) >= fewest)[number]
    n_choices = layout.item.size
    rows = sort_distinct(number[is_kept] * n_choices + choice[is_kept])
    number, choice = rows // n_choices, rows % n_choices
    item = layout.item[choice].astype(np.int64)
    is_first = np.r_[True, (np.diff(number) != 0) | (np.diff(item) != 0)][: number.size]
    pair = np.cumsum(is_first) - 1  # rows are sorted by feature, then by item
    tells = np.bincount(pair) < np.diff(layout.first)[item[is_first]]
    n_items, n_shared = (
        np.bincount(number[is_first][mask], minlength=distinct.size) for mask in (tells, ~tells)
    )
    is_usable = (n_items >= fewest) | (n_items + n_shared >= MIN_JOINED_ITEMS)
    new_number, kept_keys = np.cumsum(is_usable) - 1, distinct[is_usable]
    rows_by_use = [
        _sort_by_choice(new_number[number[use]], choice[use])
        for use in (mask[pair] & is_usable[number] for mask in (tells, ~tells))
    ]
    return FeatureBlock(
        rung, *rows_by_use[0], *rows_by_use[1], n_items[is_usable], n_shared[is_usable],
        lambda feature: name_key(int(kept_keys[feature])),
    )  # fmt: skip


def _sort_by_choice(feature: Ints, choice: Ints) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    order = np.argsort(choice, kind="stable")
    return feature[order].astype(np.int32), choice[order].astype(np.int32)


def sort_distinct(values: Ints) -> Ints:
    """Return the distinct values, sorted; `np.unique` looks them up in a table, which is slower."""
    values = np.sort(values)
    is_new = np.r_[True, np.diff(values) != 0][: values.size]
    return np.asarray(values[is_new])


def _number_keys(keys: Ints) -> tuple[Ints, Ints]:
    """Return the distinct keys, and the number of each row's key among them."""
    n_values = int(keys.max(initial=-1)) + 1
    if n_values > 4 * keys.size + 1024:  # too many possible keys for a table
        return np.unique(keys, return_inverse=True)
    number = np.zeros(n_values, np.int64)
    number[keys] = 1
    distinct = np.flatnonzero(number)
    number[distinct] = np.arange(distinct.size)
    return distinct, number[keys]


def build_mask_block(rung: str, masks: dict[str, Mask], layout: ChoiceLayout) -> FeatureBlock:
    """Build the features of a rung from named masks over all choices."""
    names = list(masks)
    rows = [np.flatnonzero(mask) for mask in masks.values()]
    keys = np.repeat(np.arange(len(rows)), [row.size for row in rows])
    choice = np.concatenate([np.zeros(0, np.int64), *rows])
    return build_block(rung, keys, choice, layout, names.__getitem__)


def choice_texts(items: Sequence[object]) -> list[str]:
    """List the texts of all choices, item by item."""
    return [*chain.from_iterable(item.choices for item in items)]  # type: ignore[attr-defined]
