"""Held-out items: folds to be scored, and a tenth to choose parameters by.

Both keep leakage groups together, so that no model learns from a copy of a held-out item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..types import Items
from .leakage_groups import find_leakage_groups

HOLD_OUT_DIVISOR = 10  # one in this many items is held out for selection


def iter_folds(items: Items, k: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the positions to learn from and to score, fold by fold; each item is scored once."""
    for scored_indices in _fold_indices(find_leakage_groups(items), k, seed):
        scored_set = set(scored_indices)
        yield [index for index in range(len(items)) if index not in scored_set], scored_indices


def hold_out(items: Items, seed: int) -> tuple[Items, Items]:
    """Split items into those to learn from and a tenth to choose by, stratified by answer.

    Leakage groups stay together; if there is only one, nothing is held out.
    """
    members: dict[str, list[int]] = {}
    for index, group in enumerate(find_leakage_groups(items)):
        members.setdefault(group, []).append(index)
    if len(members) < 2:
        return items, ()
    shuffled = np.random.default_rng(seed).permutation(list(members)).tolist()
    held_out = set(_pick_stratified(items, [members[group] for group in shuffled]))
    train = tuple(item for index, item in enumerate(items) if index not in held_out)
    return train, tuple(items[index] for index in sorted(held_out))


def _pick_stratified(items: Items, groups: list[list[int]]) -> list[int]:
    """Pick groups in order while each answer's quota lasts; return the positions of their items."""
    quota = Counter(
        {a: n / HOLD_OUT_DIVISOR for a, n in Counter(item.answer for item in items).items()}
    )
    chosen: list[int] = []
    for group in groups:
        counts = Counter(items[index].answer for index in group)
        if all(quota[answer] >= n - 0.5 for answer, n in counts.items()):  # rounded
            quota.subtract(counts)
            chosen += group
    return chosen or min(groups, key=len)


def _fold_indices(groups: list[str], k: int, seed: int) -> list[list[int]]:
    """Return the positions of each fold; there are at most as many folds as groups."""
    from ..stats import assign_folds  # needs scipy, which a machine for training may lack

    k = min(k, len(set(groups)))
    fold_numbers = assign_folds(groups, k, seed).tolist()
    return [
        [index for index, fold in enumerate(fold_numbers) if fold == wanted_fold]
        for wanted_fold in range(k)
    ]
