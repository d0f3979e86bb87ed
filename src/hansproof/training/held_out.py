"""What a model does not learn from: folds to be scored, and a part to choose parameters by.

Both are cut between units (`training.units`), so that no copy of a held-out item is learnt from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from ..types import Items
from .units import units

PARTS = 10  # one of so many is for choosing


def folds(items: Items, k: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Positions to learn from and positions to score, fold by fold; each is scored once."""
    for scored in _cut(units(items), k, seed):
        held = set(scored)
        yield [at for at in range(len(items)) if at not in held], scored


def tenth(items: Items, seed: int) -> tuple[Items, Items]:
    """Items to learn from, and a tenth to choose by: whole units, of each answer as many.

    None of a single unit.
    """
    members: dict[str, list[int]] = {}
    for at, unit in enumerate(units(items)):
        members.setdefault(unit, []).append(at)
    if len(members) < 2:
        return items, ()
    shuffled = np.random.default_rng(seed).permutation(list(members)).tolist()
    held = set(_stratified(items, [members[unit] for unit in shuffled]))
    learnt = tuple(item for at, item in enumerate(items) if at not in held)
    return learnt, tuple(items[at] for at in sorted(held))


def _stratified(items: Items, parts: list[list[int]]) -> list[int]:
    """Positions of a tenth of the items: parts one after the other that leave room for others."""
    room = Counter({a: n / PARTS for a, n in Counter(item.answer for item in items).items()})
    held: list[int] = []
    for part in parts:
        own = Counter(items[at].answer for at in part)
        if all(room[answer] >= n - 0.5 for answer, n in own.items()):  # rounded
            room.subtract(own)
            held += part
    return held or min(parts, key=len)


def _cut(named: list[str], k: int, seed: int) -> list[list[int]]:
    """Positions by fold; no more folds than there are units."""
    from ..stats import folds  # brings scipy, which a machine for training may lack

    k = min(k, len(set(named)))
    number = folds(named, k, seed).tolist()
    return [[at for at, fold in enumerate(number) if fold == one] for one in range(k)]
