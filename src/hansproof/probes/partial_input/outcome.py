"""What one model made of one view of one part, with all that its number needs for company."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...stats import Floats, mean_interval
from ...types import Cell, Estimate, Items, Protocols, View
from .._baselines import chance
from .fixed import Bound

COLUMNS = (
    "split", "view", "model", "accuracy", "low", "high", "chance", "p", "q", "hans", "hans_low",
    "hans_high", "flag", "protocol", "trained_on", "seeds", "n", "tie_rate", "best",
)  # fmt: skip
BLIND = "bow"  # the model that every audit trains
FIXED, ABOVE, NO_CHOICES = "by construction", "above chance", "no choices"
IMPOSSIBLE = "saw more"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The credit of every item, and what is known about it."""

    split: str
    view: View
    view_name: str
    model: str
    protocol: Protocols
    trained_on: str | None
    items: Items
    units: list[str]
    credits: Floats  # seeds by items
    tie_rate: float
    bound: Bound
    is_blind: bool
    p: float | None = None  # None: not tested
    q: float | None = None  # corrected for all blind views and parts; None: not judged
    surest: tuple[str, ...] = ()  # items that every run gets right, the clearest first
    spread: float = 0.0  # standard deviation of the accuracy where answers mean nothing

    @property
    def part(self) -> str:
        """The split, and what was learnt before if that was another."""
        if self.protocol == "train-test" and self.trained_on:
            return f"{self.trained_on} → {self.split}"
        return self.split

    @property
    def scores(self) -> Floats:
        """Per-item means over seeds."""
        return np.asarray(self.credits.mean(axis=0))

    @property
    def accuracy(self) -> float:
        """The mean of those."""
        return float(self.credits.mean())

    @property
    def chance(self) -> float:
        """What guessing earns."""
        return chance(self.items)

    @property
    def is_fixed(self) -> bool:
        """Whether any ranker at all would have scored the same."""
        return self.bound.even and abs(self.accuracy - self.chance) < 1e-9

    @property
    def is_impossible(self) -> bool:
        """Whether nobody could have scored this who saw no more than the view."""
        return self.bound.exactly and not self.is_fixed

    def interval(self) -> tuple[float, float]:
        """Widened by how much training itself varies: items of different folds hang together."""
        if self.is_fixed:
            return self.accuracy, self.accuracy
        low, high = mean_interval(self.scores, self.units)
        more = 1.96 * self.spread
        return min(low, max(self.accuracy - more, 0)), max(high, min(self.accuracy + more, 1))

    def found(self, level: float) -> bool:
        """Whether something was answered that should not have been possible to answer."""
        above = self.q is not None and self.q <= level and self.accuracy > self.chance
        return self.is_blind and not self.is_fixed and above

    def flag(self, level: float) -> str:
        """In two words."""
        if self.is_fixed:
            return FIXED if "choices" in self.view.keep else NO_CHOICES
        if self.is_impossible:
            return IMPOSSIBLE
        return ABOVE if self.found(level) else ""

    def row(self, level: float, hans: tuple[Cell, Cell, Cell]) -> tuple[Cell, ...]:
        """The row of the table (see COLUMNS)."""
        return (
            self.split, self.view_name, self.model, self.accuracy, *self.interval(), self.chance,
            self.p, self.q, *hans, self.flag(level), self.protocol, self.trained_on,
            len(self.credits), len(self.items), self.tie_rate, self.bound.best,
        )  # fmt: skip

    def estimate(self) -> Estimate:
        """The accuracy with its company."""
        name = f"{self.part}: {self.view_name} ({self.model})"
        return Estimate(name, self.accuracy, *self.interval(), len(self.items), self.chance)
