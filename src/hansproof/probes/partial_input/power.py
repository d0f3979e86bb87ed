"""The power of the cross-validated bag of words, by simulation.

A word that occurs nowhere else is added to the right choice of so many items that knowing it would
lift accuracy to chance + margin; all other answers are random. The power is how often the corrected
test then rejects.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from ...linear.features import FeatureBags
from ...stats import ENOUGH_POWER, Floats, wilson_interval
from .._power import SplitPower
from .ranker import Answers, ViewRanker

MIN_ROUNDS, MAX_ROUNDS = 5, 12
MOST = 0.8  # of a shortcut is learnt from enough items
SHORTCUTS_PER_ROUND = 3  # trained together, each with its own word and its own answers


@dataclass(frozen=True, slots=True)
class PowerSimulation:
    """A ranker, random answers to its items, and the accuracies it has without a shortcut."""

    split: str
    ranker: ViewRanker
    answers: Answers  # random ones, by item and randomisation
    null_accuracies: Floats  # and the real one, as they are standardised
    chance: float

    def estimate_power(self, margin: float, critical_z: float, seed: int) -> SplitPower:
        """Simulate shortcuts until it is clear whether the power is enough."""
        n = self.answers.shape[0]
        coverage = min(1.0, margin / (1 - self.chance))
        mean, sd = float(self.null_accuracies.mean()), float(self.null_accuracies.std())
        if sd == 0:
            return SplitPower(self.split, n, 0.0, None)
        rng = np.random.default_rng(seed)
        accuracies: list[float] = []
        for columns in np.split(np.arange(MAX_ROUNDS * SHORTCUTS_PER_ROUND), MAX_ROUNDS):
            answers = self.answers[:, columns % self.answers.shape[1]]
            accuracies += self._plant_shortcuts(answers, round(coverage * n), rng).tolist()
            rejected = (np.array(accuracies) - mean) / sd > critical_z + 1e-9
            low, high = wilson_interval(int(rejected.sum()), rejected.size)
            if (
                rejected.size >= MIN_ROUNDS * SHORTCUTS_PER_ROUND
                and not low <= ENOUGH_POWER <= high
            ):
                break
        # how far the mean accuracy rose; with more items a model learns most of the shortcut
        gain = max(float(np.mean(accuracies)) - mean, MOST * margin)
        needed = n * ((critical_z + float(ndtri(ENOUGH_POWER))) * sd / gain) ** 2
        power = float(rejected.mean())
        return SplitPower(
            self.split, n, power, round(needed if power >= ENOUGH_POWER else max(needed, n * 1.1))
        )

    def _plant_shortcuts(
        self, answers: Answers, n_planted: int, rng: np.random.Generator
    ) -> Floats:
        """Return the accuracy of each column of answers, each with a word of its own."""
        n, n_columns = answers.shape
        first = self.ranker.first[:-1]
        planted = [
            first[chosen] + answers[chosen, column]
            for column in range(n_columns)
            for chosen in [rng.choice(n, n_planted, replace=False)]
        ]
        bags = add_words(self.ranker.bags, planted)
        ranker = ViewRanker(bags, self.ranker.first, self.ranker.repeats[:1], self.ranker.penalty)
        return ranker.null_accuracies(answers, f"{self.split}: power")


def add_words(bags: FeatureBags, choices: list[NDArray[np.int64]]) -> FeatureBags:
    """Return the bags with one more feature for each list of choices, which get it."""
    owner = np.repeat(np.arange(bags.start.size - 1), np.diff(bags.start))
    new_features = [np.full(rows.size, bags.size + i, np.int32) for i, rows in enumerate(choices)]
    owners = np.concatenate([owner, *choices])
    order = np.argsort(owners, kind="stable")
    counts = np.bincount(owners, minlength=bags.start.size - 1)
    # keys are sorted, and words of a text never have these
    new_keys = np.iinfo(np.uint64).max - np.arange(len(choices), dtype=np.uint64)[::-1]
    return replace(
        bags,
        start=np.concatenate(([0], np.cumsum(counts))),
        feature=np.concatenate([bags.feature, *new_features])[order],
        keys=np.concatenate([bags.keys, new_keys]),
    )


def critical_value(extremes: Floats, level: float) -> float:
    """Return the value that a standardised accuracy must exceed to be significant.

    `extremes` are the largest standardised accuracies of each randomisation.
    """
    n_reaching = int(level * (extremes.size + 1)) - 1  # of the randomisations, besides itself
    return float(np.sort(extremes)[::-1][n_reaching])
