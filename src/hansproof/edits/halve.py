"""Keeps half of the groups, whole ones, so that a mirrored benchmark has its first size again.

Kavumba et al. 2019 train on half of Balanced COPA, to tell what balance does from what twice as
many items do. An item without a group is a group of its own; of an odd number the larger half
stays. Which half depends on the seed and the names of the groups, not on the order of items.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..checks import check
from ..types import Account, Benchmark, Cell, Edited, Item, Items, Table
from ._parts import chosen, with_splits

COLUMNS = ("split", "size", "groups", "kept", "items", "kept_items")

Name = tuple[str, str]  # what it is called by, and the name: no item is taken for a group


@dataclass(frozen=True, slots=True)
class Halve:
    """Half of every split; a group that lies in several is kept or dropped in all of them."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split
    seed: int = 0  # of the choice of groups

    def __post_init__(self) -> None:
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Edited:
        before = chosen(benchmark, self.split)
        kept = self._kept(before)
        after = {
            split: tuple(item for item in items if _name(item) in kept)
            for split, items in before.items()
        }
        rows = [row for split, items in before.items() for row in _rows(split, items, kept)]
        groups = len({_name(item) for items in before.values() for item in items})
        items, left = (sum(map(len, some.values())) for some in (before, after))
        return Edited(
            with_splits(benchmark, after),
            Account(
                f"Kept {len(kept):,} of {groups:,} groups, {left:,} of {items:,} items.",
                tables={"groups": Table(COLUMNS, tuple(rows))},
                notes=_outside(benchmark, before),
            ),
        )

    def _kept(self, before: dict[str, Items]) -> set[Name]:
        """Half of the groups that lie in the same splits; so every split is halved."""
        lies: dict[Name, dict[str, None]] = defaultdict(dict)
        for split, items in before.items():
            for item in items:
                lies[_name(item)][split] = None
        alike: dict[tuple[str, ...], list[Name]] = defaultdict(list)
        for name in sorted(lies):
            alike[tuple(lies[name])].append(name)
        kept: set[Name] = set()
        for names in alike.values():
            order = np.random.default_rng(self.seed).permutation(len(names))
            kept |= {names[at] for at in order[: (len(names) + 1) // 2]}
        return kept


def _name(item: Item) -> Name:
    return ("item", item.id) if item.group is None else ("group", item.group)


def _rows(split: str, items: Items, kept: set[Name]) -> list[tuple[Cell, ...]]:
    """Groups by their size in a split, before and after."""
    sizes = Counter(map(_name, items))
    return [
        (split, size, len(names), left := sum(name in kept for name in names),
         size * len(names), size * left)
        for size in sorted(set(sizes.values()))
        if (names := [name for name, n in sizes.items() if n == size])
    ]  # fmt: skip


def _outside(benchmark: Benchmark, halved: dict[str, Items]) -> tuple[str, ...]:
    """A note where a dropped group has items in splits that stay as they are."""
    inside = {i.group for items in halved.values() for i in items if i.group is not None}
    outside = {
        item.group
        for split, items in benchmark.splits.items()
        if split not in halved
        for item in items
    }
    both = len(inside & outside)
    return (f"{both:,} groups lie also in splits that were not halved",) if both else ()
