"""Selecting the labelled items that an edit changes, and putting changed splits back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..benchmarks import take_split
from ..errors import BadInput
from ..types import POOLED, Benchmark, Items


def select_labelled(benchmark: Benchmark, split: str | None) -> dict[str, Items]:
    """Return labelled items by split; `split`: a name, an alias, `a+b`, `pooled`, or None (all)."""
    labelled = benchmark.labelled_splits()
    if split not in (None, POOLED):
        assert split is not None
        take_split(benchmark, split)  # raises if there is no such split
        names = [s for part in split.split("+") for s in benchmark.aliases.get(part, (part,))]
        labelled = {name: items for name, items in labelled.items() if name in names}
    if not labelled:
        location = benchmark.name if split is None else f"{benchmark.name}:{split}"
        raise BadInput(location, "has no answers; this edit needs them")
    return labelled


def keep_items(
    parts: Mapping[str, Items], is_removed: Iterable[bool]
) -> tuple[dict[str, Items], tuple[str, ...]]:
    """Return the kept items by split, and the ids of the others; flags are in order of splits."""
    flags = iter(is_removed)
    kept_parts: dict[str, Items] = {}
    removed_ids: list[str] = []
    for name, items in parts.items():
        marked = [(item, next(flags)) for item in items]
        kept_parts[name] = tuple(item for item, is_out in marked if not is_out)
        removed_ids += [item.id for item, is_out in marked if is_out]
    return kept_parts, tuple(sorted(removed_ids))


def replace_splits(benchmark: Benchmark, changed: Mapping[str, Items]) -> Benchmark:
    """Return the benchmark with some splits replaced; splits without items are removed."""
    splits = {name: changed.get(name, items) for name, items in benchmark.splits.items()}
    splits = {name: items for name, items in splits.items() if items}
    roles = {role: split for role, split in benchmark.roles.items() if split in splits}
    aliases = {
        name: remaining_parts
        for name, parts in benchmark.aliases.items()
        if (remaining_parts := tuple(part for part in parts if part in splits))
    }
    return replace(benchmark, splits=splits, roles=roles, aliases=aliases)
