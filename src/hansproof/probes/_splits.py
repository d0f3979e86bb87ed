"""The items a probe reads: a part that the user names, or every labelled split."""

from __future__ import annotations

from ..benchmarks import take_split
from ..errors import BadInput
from ..stats import group_count
from ..types import POOLED, Benchmark, Items


def labelled_splits(
    benchmark: Benchmark, split: str | None, pooled: bool = False
) -> tuple[dict[str, Items], tuple[str, ...]]:
    """Return labelled items by split, and a note for each split without answers.

    `pooled` adds a part with the items of all labelled splits, if there are several.
    """
    if split is not None:
        benchmark = take_split(benchmark, split)
    parts = benchmark.labelled_splits()
    if not parts:
        raise BadInput(benchmark.name, "no split has answers, which this probe needs")
    notes = tuple(f"{name}: no answers, skipped" for name in benchmark.splits if name not in parts)
    if pooled and len(parts) > 1:
        parts = {**parts, POOLED: benchmark.take_split(POOLED).splits[POOLED]}
    return parts, notes


def evaluation_splits(benchmark: Benchmark, split: str | None) -> dict[str, Items]:
    """Return the items to evaluate trained models on: `split`, else the test split, else all."""
    if split is not None:
        benchmark = take_split(benchmark, split)
        if split not in benchmark.labelled_splits():
            message = "has no answers, which this probe needs"
            raise BadInput(benchmark.name, message, field=split)
    parts = benchmark.labelled_splits()
    if not parts:
        raise BadInput(benchmark.name, "no split has answers, which this probe needs")
    name = split or benchmark.roles.get("test")
    return {name: parts[name]} if name in parts else parts


def grouped_items_note(parts: dict[str, Items]) -> tuple[str, ...]:
    """Return a note for exact tests that treat the items of a group as independent."""
    if all(group_count([i.group for i in items]) == len(items) for items in parts.values()):
        return ()
    return ("Items of a group are counted one by one in the exact tests.",)
