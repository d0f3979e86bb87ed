"""The items a probe reads: a part that the user names, or every labelled split."""

from __future__ import annotations

from collections.abc import Collection

from ..benchmarks import take_split
from ..errors import BadInput
from ..stats import group_count
from ..types import POOLED, Benchmark, Items

MIN_SPLIT_ITEMS = 20  # smaller splits are tested together with the others only


def labelled_splits(
    benchmark: Benchmark, split: str | None
) -> tuple[dict[str, Items], tuple[str, ...]]:
    """Return labelled items by split, and a note for each split without answers."""
    if split is not None:
        benchmark = take_split(benchmark, split)
    parts = benchmark.labelled_splits()
    if not parts:
        raise BadInput(benchmark.name, "this probe needs answers, but no split has any")
    notes = tuple(
        f"{name}: skipped, has no answers." for name in benchmark.splits if name not in parts
    )
    return parts, notes


def tested_parts(
    benchmark: Benchmark, split: str | None
) -> tuple[dict[str, Items], tuple[str, ...]]:
    """Return labelled splits and, if there are several, all of them pooled; and notes.

    Splits of a few items, such as the files of a course, are tested together only, unless models
    are scored on them.
    """
    splits, notes = labelled_splits(benchmark, split)
    if len(splits) == 1:
        return splits, notes
    pooled = tuple(item for items in splits.values() for item in items)
    small = [
        name
        for name, items in splits.items()
        if len(items) < MIN_SPLIT_ITEMS and name != benchmark.roles.get("test")
    ]
    if small:
        names = "1 split has" if len(small) == 1 else f"{len(small)} splits have"
        note = (
            f"{names} fewer than {MIN_SPLIT_ITEMS} items: tested only as part of all splits pooled."
        )
        notes = (*notes, note)
    large = {name: items for name, items in splits.items() if name not in small}
    return {**large, POOLED: pooled}, notes


def scored_part(benchmark: Benchmark, parts: Collection[str]) -> str:
    """Return the part that models are scored on: the test split, else all items."""
    test = benchmark.roles.get("test")
    if test in parts:
        return str(test)
    return POOLED if POOLED in parts else next(iter(parts))


def evaluation_splits(benchmark: Benchmark, split: str | None) -> dict[str, Items]:
    """Return the items to evaluate trained models on: `split`, else the test split, else all."""
    if split is not None:
        benchmark = take_split(benchmark, split)
        if split not in benchmark.labelled_splits():
            message = "has no answers; this probe needs them"
            raise BadInput(benchmark.name, message, field=split)
    parts = benchmark.labelled_splits()
    if not parts:
        raise BadInput(benchmark.name, "this probe needs answers, but no split has any")
    name = split or benchmark.roles.get("test")
    return {name: parts[name]} if name in parts else parts


def grouped_items_note(parts: dict[str, Items]) -> tuple[str, ...]:
    """Return a note for exact tests that treat the items of a group as independent."""
    if all(group_count([i.group for i in items]) == len(items) for items in parts.values()):
        return ()
    return ("The exact tests treat items of the same group as independent.",)
