"""Cuts that should not go through a group: splits, published folds, and those of this tool."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from ...training import held_out
from ...types import Benchmark, Items
from .groups import Group

FOLD = "fold"  # of an item's meta


@dataclass(frozen=True, slots=True)
class Cut:
    """A way to part the items, and how many groups it parts."""

    name: str
    parted: int
    matters: bool = True  # False: nobody trains on one side and tests on the other


def own(groups: list[Group], benchmark: Benchmark) -> Iterator[Cut]:
    """The benchmark's own splits, and its folds where items have them.

    Splits that have a role (to train on, to test on) must not part a group; splits without are
    parts of the whole, such as the originals and their mirror images.
    """
    inside = [{split for split, _ in group.members} for group in groups]
    yield Cut("all splits", sum(len(splits) > 1 for splits in inside), matters=False)
    if used := set(benchmark.roles.values()):
        parted = sum(len(splits & used) > 1 for splits in inside)
        yield Cut("the splits for training and testing", parted)
    folds = [[item.meta.get(FOLD) for _, item in group.members] for group in groups]
    if any(fold is not None for some in folds for fold in some):
        yield Cut(f"the items' own {FOLD}", sum(len(set(some)) > 1 for some in folds))


def tools(items: Items, folds: int, seed: int) -> Iterator[Cut]:
    """The cuts that this tool makes where it trains a model on these items."""
    fold = {at: k for k, (_, some) in enumerate(held_out.folds(items, folds, seed)) for at in some}
    yield Cut(f"{folds} folds", _parted(items, [fold[at] for at in range(len(items))]))
    learnt, _ = held_out.tenth(items, seed)
    kept = {item.id for item in learnt}
    yield Cut("a tenth held out", _parted(items, [item.id in kept for item in items]))


def _parted(items: Items, sides: Iterable[Hashable]) -> int:
    """How many groups lie on several sides."""
    found: dict[str | None, set[Hashable]] = {}
    for item, side in zip(items, sides, strict=True):
        found.setdefault(item.group, set()).add(side)
    return sum(len(some) > 1 for some in found.values())
