"""Partitions that should not split a group: splits, published folds, and the tool's own folds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from ...training import splits
from ...types import Benchmark
from .groups import MirrorGroup

FOLD = "fold"  # of an item's meta


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition of the items, and the number of groups that it splits."""

    name: str
    n_split_groups: int
    is_checked: bool = True  # False: nobody trains on one side and tests on the other


def benchmark_partitions(groups: list[MirrorGroup], benchmark: Benchmark) -> Iterator[Partition]:
    """Yield the benchmark's own splits, and its folds if the items have them.

    Splits with a role (training, testing) must not split a group. Splits without a role may, such
    as the original items and their mirror images.
    """
    group_splits = [{split for split, _ in group.members} for group in groups]
    yield Partition("all splits", sum(len(splits) > 1 for splits in group_splits), is_checked=False)
    if role_splits := set(benchmark.roles.values()):
        n_split_groups = sum(len(splits & role_splits) > 1 for splits in group_splits)
        yield Partition("the training and test splits", n_split_groups)
    folds = [[item.meta.get(FOLD) for _, item in group.members] for group in groups]
    if any(fold is not None for group_folds in folds for fold in group_folds):
        yield Partition(
            f"the items' own {FOLD}", sum(len(set(group_folds)) > 1 for group_folds in folds)
        )


def tool_partitions(groups: list[MirrorGroup], folds: int, seed: int) -> Iterator[Partition]:
    """Yield the partitions that hansproof makes when it trains a model on these items."""
    members = [(group.name, item) for group in groups for _, item in group.members]
    names, items = [name for name, _ in members], tuple(item for _, item in members)
    fold_of = {
        index: k
        for k, (_, members) in enumerate(splits.iter_folds(items, folds, seed))
        for index in members
    }
    yield Partition(
        f"{folds} folds",
        _count_split_groups(names, [fold_of[index] for index in range(len(items))]),
    )
    train_items, _ = splits.hold_out(items, seed)
    train_ids = {item.id for item in train_items}
    yield Partition(
        "a tenth held out", _count_split_groups(names, [item.id in train_ids for item in items])
    )


def _count_split_groups(names: list[str], sides: Iterable[Hashable]) -> int:
    """Count the groups whose items are on several sides."""
    sides_by_group: dict[str, set[Hashable]] = {}
    for name, side in zip(names, sides, strict=True):
        sides_by_group.setdefault(name, set()).add(side)
    return sum(len(group_sides) > 1 for group_sides in sides_by_group.values())
