"""What the answers would look like if nothing that is shown said anything about them.

Every item's answer is turned by a random number of places, the same for all items of a unit: for
two choices a sign flip, and what is balanced inside a unit stays balanced. Places are those in the
order of the choices' texts, those first that most items of the unit have, so that copies whose
choices stand in another order, or are partly others, turn alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .stats import group_numbers
from .types import Items


def turned_answers(
    items: Items, units: Sequence[str], randomisations: int, seed: int
) -> Iterator[NDArray[np.int64]]:
    """One array of answers, by item, for each randomisation; `units`: items that turn together."""
    sizes = np.array([len(item.choices) for item in items], np.int64)
    first = np.cumsum(sizes) - sizes
    shared: dict[str, Counter[str]] = defaultdict(Counter)
    for item, name in zip(items, units, strict=True):
        shared[name].update(set(item.choices))
    orders = [_order(i.choices, shared[name]) for i, name in zip(items, units, strict=True)]
    place = [order.index(i.answer or 0) for order, i in zip(orders, items, strict=True)]
    by_place = np.array([choice for order in orders for choice in order], np.int64)
    unit = group_numbers(units)
    rng = np.random.default_rng(seed)
    for _ in range(randomisations):
        turn = rng.integers(0, 2**31, int(unit.max()) + 1)[unit]
        yield by_place[first + (np.array(place) + turn) % sizes]


def _order(choices: tuple[str, ...], shared: Counter[str]) -> list[int]:
    return sorted(range(len(choices)), key=lambda c: (-shared[choices[c]], choices[c]))
