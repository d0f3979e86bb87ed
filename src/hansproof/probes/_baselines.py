"""What could be earned without a model: by guessing, by one label, by the longest choice."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..credit import credit
from ..stats import Floats
from ..types import Benchmark, Items


def chance(items: Items) -> float:
    """What guessing earns on average."""
    return float(np.mean([1 / len(item.choices) for item in items]))


def baselines(benchmark: Benchmark, split: str, items: Items) -> dict[str, Floats]:
    """The expected credit of each trivial rule on each item."""
    return {
        "chance": np.array([1 / len(item.choices) for item in items]),
        "majority": _majority(benchmark.splits.get(learnt_on(benchmark, split), items), items),
        "longest": _longest(items),
    }


def learnt_on(benchmark: Benchmark, split: str) -> str:
    """The split whose labels are counted: the one for training where it is here, or the same."""
    train = benchmark.roles.get("train", split)
    return train if train in benchmark.labelled() else split


def _majority(counted: Items, items: Items) -> Floats:
    """Always the label that is right most often; of several, any."""
    counts = Counter(item.answer for item in counted)
    most = [label for label, count in counts.items() if count == max(counts.values())]
    return np.array([(item.answer in most) / len(most) for item in items])


def _longest(items: Items) -> Floats:
    """The choice of most characters; of several that are as long, any."""
    lengths = [[len(choice.strip()) for choice in item.choices] for item in items]
    return np.array(
        [credit(found, item.answer or 0) for item, found in zip(items, lengths, strict=True)]
    )
