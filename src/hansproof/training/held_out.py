"""What a model does not learn from: folds to be scored, and a part to choose parameters by.

Both are cut between units (`training.units`), so that no copy of a held-out item is learnt from.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Items
from .units import units

PARTS = 10  # one of so many is for choosing


def folds(items: Items, k: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """Positions to learn from and positions to score, fold by fold; each is scored once."""
    for scored in _cut(units(items), k, seed):
        held = set(scored)
        yield [at for at in range(len(items)) if at not in held], scored


def tenth(items: Items, seed: int) -> tuple[Items, Items]:
    """Items to learn from, and a tenth of their units to choose by; none of a single unit."""
    named = units(items)
    if len(set(named)) < 2:
        return items, ()
    held = set(_cut(named, PARTS, seed)[0])
    learnt = tuple(item for at, item in enumerate(items) if at not in held)
    return learnt, tuple(items[at] for at in sorted(held))


def _cut(named: list[str], k: int, seed: int) -> list[list[int]]:
    """Positions by fold; no more folds than there are units."""
    from ..stats import folds  # brings scipy, which a machine for training may lack

    k = min(k, len(set(named)))
    number = folds(named, k, seed).tolist()
    return [[at for at, fold in enumerate(number) if fold == one] for one in range(k)]
