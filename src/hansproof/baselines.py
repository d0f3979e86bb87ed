"""What could be earned without a model: by guessing, by one label, by the longest choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from .scoring import expected_credit
from .stats import Floats, binomial_sf, group_count, paired_randomisation_test
from .types import Benchmark, Items


def chance_level(items: Items) -> float:
    """What guessing earns on average."""
    return float(np.mean([1 / len(item.choices) for item in items]))


def p_above_chance(scores: Floats, guess: Floats, groups: Sequence[str | None]) -> float:
    """One-sided p of scores, where `guess` is what guessing earns on each item.

    A guess is no opponent whose score could be swapped: where items are right or wrong, and on
    their own, the p is binomial. Elsewhere swapping errs on the safe side.
    """
    all_binary = {0.0, 1.0} >= {*scores.tolist()}
    if all_binary and group_count(groups) == scores.size:
        return float(binomial_sf(int(scores.sum()), scores.size, float(guess.mean())))
    return paired_randomisation_test(scores, guess, groups, alternative="greater").p


def baseline_credits(benchmark: Benchmark, split: str, items: Items) -> dict[str, Floats]:
    """The expected credit of each trivial rule on each item."""
    return {
        "chance": np.array([1 / len(item.choices) for item in items]),
        "majority": _majority_credits(
            benchmark.splits.get(majority_split(benchmark, split), items), items
        ),
        "longest": _longest_credits(items),
    }


def majority_split(benchmark: Benchmark, split: str) -> str:
    """The split whose labels are counted: the one for training where it is here, or the same."""
    train = benchmark.roles.get("train", split)
    return train if train in benchmark.labelled_splits() else split


def _majority_credits(label_source: Items, items: Items) -> Floats:
    """Always the label that is right most often; of several, any."""
    counts = Counter(item.answer for item in label_source)
    top_labels = [label for label, count in counts.items() if count == max(counts.values())]
    return np.array([(item.answer in top_labels) / len(top_labels) for item in items])


def _longest_credits(items: Items) -> Floats:
    """The choice of most characters; of several that are as long, any."""
    lengths = [[len(choice.strip()) for choice in item.choices] for item in items]
    return np.array(
        [
            expected_credit(item_lengths, item.answer or 0)
            for item, item_lengths in zip(items, lengths, strict=True)
        ]
    )
