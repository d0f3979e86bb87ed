"""Random samples of items, drawn by a seed."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

import numpy as np

from .types import Benchmark, Items

_REMARK = re.compile(r"\(a random sample of [\d,]+ of [\d,]+ items, seed \d+\)$")


def sample_items(items: Items, n: int, seed: int) -> Items:
    """Draw n items and keep their order; return all if n is 0 or there are no more than n."""
    if not n or n >= len(items):
        return items
    order = np.random.default_rng(seed).permutation(len(items))
    return tuple(items[index] for index in sorted(order[:n].tolist()))


def sample_benchmark(benchmark: Benchmark, n: int, seed: int = 0) -> Benchmark:
    """Draw about n items, from each split in proportion to its size, and say so in the title.

    Items keep their order, and groups stay together: a group is drawn as a whole, so that there may
    be a few more items than n. Every split keeps at least one item. Returns the benchmark itself if
    it has no more than n items.
    """
    n_items = sum(map(len, benchmark.splits.values()))
    if n >= n_items:
        return benchmark
    missing = {  # items to be drawn from each split
        split: max(round(n * len(items) / n_items), 1) for split, items in benchmark.splits.items()
    }
    units: dict[str, list[tuple[str, int]]] = defaultdict(list)  # split and index of each item
    for split, items in benchmark.splits.items():
        for i, item in enumerate(items):
            name = f"item {split} {i}" if item.group is None else f"group {item.group}"
            units[name].append((split, i))
    members = [*units.values()]
    drawn: dict[str, list[int]] = {split: [] for split in benchmark.splits}
    for number in np.random.default_rng(seed).permutation(len(members)).tolist():
        if any(missing[split] > 0 for split, _ in members[number]):
            for split, i in members[number]:
                drawn[split].append(i)
                missing[split] -= 1
    splits = {
        split: tuple(benchmark.splits[split][i] for i in sorted(indices))
        for split, indices in drawn.items()
    }
    n_drawn = sum(map(len, splits.values()))
    remark = f"(a random sample of {n_drawn:,} of {n_items:,} items, seed {seed})"
    title = f"{benchmark.card.title or benchmark.name} {remark}"
    return replace(benchmark, splits=splits, card=replace(benchmark.card, title=title))


def sample_remark(title: str) -> str:
    """Return what the title of a benchmark says about a sample; empty if it is not a sample."""
    match = _REMARK.search(title)
    return match[0] if match else ""


def sample_notes(benchmark: Benchmark) -> tuple[str, ...]:
    """Return a note for the results on a sample; nothing if the benchmark is not a sample."""
    remark = sample_remark(benchmark.card.title).strip("()")
    return (f"All numbers are those of {remark}.",) if remark else ()
