"""Slices: items that share a value of `meta`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from ...types import Items, Scalar

MAX_SLICES = 10  # a meta value with more kinds than this is no slice
MIN_SLICE_ITEMS = 20  # items a slice must have
EDIT_KEYS = ("edit", "rewritten_choices")  # items are edited by their answers: no slice of interest


class ItemSlice(NamedTuple):
    """Items that share a value of `meta`, or all items."""

    name: str  # `key=value`; empty: all items
    items: Items
    key: str = ""


def slice_items(items: Items) -> Iterator[ItemSlice]:
    """Yield all items, then those that share a value of `meta`, for keys with few values."""
    yield ItemSlice("", items)
    keys = dict.fromkeys(key for item in items for key in item.meta if key not in EDIT_KEYS)
    for key in keys:
        values = Counter(item.meta.get(key) for item in items)
        if not 2 <= len(values) <= MAX_SLICES:
            continue
        for value, n in values.items():
            if n >= MIN_SLICE_ITEMS and value is not None:
                sharing = tuple(i for i in items if i.meta.get(key) == value)
                yield ItemSlice(f"{key}={value}", sharing, key)


def group_splitting_keys(parts: dict[str, Items]) -> list[str]:
    """Return the keys of `meta` by which items of one group differ, such as `mirrored`.

    A tell that is right in one half of mirrored pairs is wrong in the other, and models do not
    know the half.
    """
    values: dict[tuple[str, str], set[Scalar]] = defaultdict(set)
    for item in chain.from_iterable(parts.values()):
        for key, value in item.meta.items():
            if item.group is not None:
                values[item.group, key].add(value)
    return list(
        dict.fromkeys(key for (_, key), key_values in values.items() if len(key_values) > 1)
    )
