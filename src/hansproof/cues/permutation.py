"""Answers under the null hypothesis that the texts carry no information about them.

Each item's answer is rotated by a random number of positions, the same for all items of a group: a
sign flip for two choices, and a balanced group stays balanced. Positions follow the order of the
choices' texts, beginning with the texts that most items of the group have, so that copies with
reordered or partly different choices are rotated alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..stats import group_numbers
from ..types import Items


def rotate_answers(
    items: Items, groups: Sequence[str], randomisations: int, seed: int
) -> Iterator[NDArray[np.int64]]:
    """Yield the answers of all items for each randomisation; items of a group rotate together."""
    sizes = np.array([len(item.choices) for item in items], np.int64)
    first = np.cumsum(sizes) - sizes
    orders = _choice_orders(items, groups)
    positions = np.array(
        [order.index(item.answer or 0) for order, item in zip(orders, items, strict=True)], np.int64
    )
    choice_by_position = np.array([choice for order in orders for choice in order], np.int64)
    group_index = group_numbers(groups)
    n_groups = int(group_index.max()) + 1
    rng = np.random.default_rng(seed)
    for _ in range(randomisations):
        rotation = rng.integers(0, 2**31, n_groups)[group_index]
        yield choice_by_position[first + (positions + rotation) % sizes]


def _choice_orders(items: Items, groups: Sequence[str]) -> list[list[int]]:
    """Return the positions of each item's choices, in the order in which answers rotate."""
    group_sizes = Counter(groups)
    choice_counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item, group in zip(items, groups, strict=True):
        if group_sizes[group] > 1:  # alone, an item has every choice once
            choice_counts[group].update(set(item.choices))
    nothing: Counter[str] = Counter()
    return [
        _choice_order(item.choices, choice_counts.get(group, nothing))
        for item, group in zip(items, groups, strict=True)
    ]


def _choice_order(choices: tuple[str, ...], choice_counts: Counter[str]) -> list[int]:
    if not choice_counts:
        return sorted(range(len(choices)), key=choices.__getitem__)
    return sorted(range(len(choices)), key=lambda c: (-choice_counts[choices[c]], choices[c]))
