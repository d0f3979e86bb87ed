"""Keeps half of the groups, so that a mirrored benchmark has its original size again.

Kavumba et al. 2019 train on half of Balanced COPA to separate the effect of balance from that of
having twice as many items. Groups are kept or dropped as a whole; an item without a group is a
group of its own; with an odd number of groups, the larger half is kept. The selection depends on
the seed and the names of the groups, not on the order of items.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._infra.validation import check_range
from ..types import Benchmark, Cell, EditReport, EditResult, Item, Items, Table
from ._parts import replace_splits, select_labelled

COLUMNS = ("split", "size", "groups", "kept", "items", "kept_items")

GroupKey = tuple[str, str]  # "item" or "group", and the id: an item is never confused with a group


@dataclass(frozen=True, slots=True)
class Halve:
    """Keeps half of every split; a group in several splits is kept or dropped in all of them."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; default: every labelled split
    seed: int = 0  # random seed of the selection

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> EditResult:
        before = select_labelled(benchmark, self.split)
        kept_groups = self._draw_groups(before)
        after = {
            split: tuple(item for item in items if _group_key(item) in kept_groups)
            for split, items in before.items()
        }
        rows = [
            row for split, items in before.items() for row in _group_rows(split, items, kept_groups)
        ]
        n_groups = len({_group_key(item) for items in before.values() for item in items})
        n_items, n_kept = (sum(map(len, splits.values())) for splits in (before, after))
        return EditResult(
            replace_splits(benchmark, after),
            EditReport(
                f"Kept {len(kept_groups):,} of {n_groups:,} groups, "
                f"{n_kept:,} of {n_items:,} items.",
                tables={"groups": Table(COLUMNS, tuple(rows))},
                notes=_outside_notes(benchmark, before),
            ),
        )

    def _draw_groups(self, before: dict[str, Items]) -> set[GroupKey]:
        """Draw half of the groups that occur in the same splits, so that every split is halved."""
        splits_of: dict[GroupKey, dict[str, None]] = defaultdict(dict)
        for split, items in before.items():
            for item in items:
                splits_of[_group_key(item)][split] = None
        groups_by_splits: dict[tuple[str, ...], list[GroupKey]] = defaultdict(list)
        for name in sorted(splits_of):
            groups_by_splits[tuple(splits_of[name])].append(name)
        kept_groups: set[GroupKey] = set()
        for names in groups_by_splits.values():
            order = np.random.default_rng(self.seed).permutation(len(names))
            kept_groups |= {names[index] for index in order[: (len(names) + 1) // 2]}
        return kept_groups


def _group_key(item: Item) -> GroupKey:
    return ("item", item.id) if item.group is None else ("group", item.group)


def _group_rows(split: str, items: Items, kept_groups: set[GroupKey]) -> list[tuple[Cell, ...]]:
    """Count the groups of a split by their size, before and after."""
    sizes = Counter(map(_group_key, items))
    return [
        (split, size, len(names), n_kept := sum(name in kept_groups for name in names),
         size * len(names), size * n_kept)
        for size in sorted(set(sizes.values()))
        if (names := [name for name, n in sizes.items() if n == size])
    ]  # fmt: skip


def _outside_notes(benchmark: Benchmark, halved: dict[str, Items]) -> tuple[str, ...]:
    """Return a note if groups also have items in splits that are not halved."""
    inside = {i.group for items in halved.values() for i in items if i.group is not None}
    outside = {
        item.group
        for split, items in benchmark.splits.items()
        if split not in halved
        for item in items
    }
    n_shared = len(inside & outside)
    return (
        (f"Groups that also have items in splits that were not halved: {n_shared:,}",)
        if n_shared
        else ()
    )
