"""What could be earned without a model: by guessing, by one label, by the longest choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ..credit import credit
from ..stats import Floats, at_least, between_systems, group_count
from ..types import Benchmark, Items


def chance(items: Items) -> float:
    """What guessing earns on average."""
    return float(np.mean([1 / len(item.choices) for item in items]))


def above_guessing(scores: Floats, guess: Floats, groups: Sequence[str | None]) -> float:
    """One-sided p of scores, where `guess` is what guessing earns on each item.

    A guess is no opponent whose score could be swapped: where items are right or wrong, and on
    their own, the p is binomial. Elsewhere swapping errs on the safe side.
    """
    plain = {0.0, 1.0} >= {*scores.tolist()}
    if plain and group_count(groups) == scores.size:
        return float(at_least(int(scores.sum()), scores.size, float(guess.mean())))
    return between_systems(scores, guess, groups, sided="greater").p


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
