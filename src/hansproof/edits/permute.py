"""Puts choices in another order, answers spread over the positions as evenly as can be.

In every split, and among items with as many choices, no position has more than one answer more
than another; the other choices stand at random. An item's new order depends on the seed, its id
and the ids beside it, not on the order of items. `permuted` in its meta names, by new position,
the old one: `2,0,1` says that what stood third stands first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from zlib import crc32

import numpy as np

from ..checks import check
from ..types import Account, Benchmark, Cell, Edited, Item, Items, Table
from ._parts import chosen, with_splits

COLUMNS = ("split", "choices", "position", "before", "after")


@dataclass(frozen=True, slots=True)
class Permute:
    """The same items with their choices in another order; ids and groups stay."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split
    seed: int = 0  # of the order

    def __post_init__(self) -> None:
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Edited:
        before = chosen(benchmark, self.split)
        after = {split: self._permuted(split, items) for split, items in before.items()}
        rows = [row for split in before for row in _rows(split, before[split], after[split])]
        items = sum(map(len, before.values()))
        most = max(map(_uneven, after.values()))
        return Edited(
            with_splits(benchmark, after),
            Account(
                f"The choices of {items:,} items stand in another order; {_said(most)}.",
                tables={"positions": Table(COLUMNS, tuple(rows))},
            ),
        )

    def _permuted(self, split: str, items: Items) -> Items:
        alike: dict[int, list[Item]] = defaultdict(list)
        for item in sorted(items, key=lambda item: item.id):
            alike[len(item.choices)].append(item)
        found: dict[str, Item] = {}
        for m, some in alike.items():
            rng = np.random.default_rng([self.seed, crc32(split.encode()), m])
            for item, place in zip(some, _places(len(some), m, rng), strict=True):
                found[item.id] = _in_order(item, _order(m, item.answer or 0, place, rng))
        return tuple(found[item.id] for item in items)


def original(item: Item) -> tuple[int, ...]:
    """By position of a permuted item, where that choice stood before it was first permuted."""
    return tuple(map(int, str(item.meta["permuted"]).split(",")))


def _places(items: int, m: int, rng: np.random.Generator) -> list[int]:
    """A position for each item's answer; no position has two more than another."""
    places = np.resize(rng.permutation(m), items)  # those that get one more are drawn, too
    return [int(place) for place in rng.permutation(places)]


def _order(m: int, answer: int, place: int, rng: np.random.Generator) -> list[int]:
    """Old positions by new ones, the answer at its place."""
    order = [other for other in rng.permutation(m).tolist() if other != answer]
    order.insert(place, answer)
    return order


def _in_order(item: Item, order: Sequence[int]) -> Item:
    before = original(item) if "permuted" in item.meta else range(len(order))
    told = {"edit": "permute", "permuted": ",".join(str(before[old]) for old in order)}
    return replace(
        item,
        choices=tuple(item.choices[old] for old in order),
        answer=order.index(item.answer or 0),
        meta={**item.meta, **told},
    )


def _counts(items: Items) -> dict[int, Counter[int]]:
    """Answers by position, by number of choices."""
    found: dict[int, Counter[int]] = defaultdict(Counter)
    for item in items:
        found[len(item.choices)][item.answer or 0] += 1
    return dict(sorted(found.items()))


def _uneven(items: Items) -> int:
    """By how much the number of answers differs between two positions, at most."""
    counts = [[of[at] for at in range(m)] for m, of in _counts(items).items()]
    return max((max(of) - min(of) for of in counts), default=0)


def _said(most: int) -> str:
    if not most:
        return "every position has as many answers as any other"
    return f"no position has more than {most} answer more than another"


def _rows(split: str, before: Items, after: Items) -> list[tuple[Cell, ...]]:
    old, new = _counts(before), _counts(after)
    return [(split, m, at, old[m][at], new[m][at]) for m in old for at in range(m)]
