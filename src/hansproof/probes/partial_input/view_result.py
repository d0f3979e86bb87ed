"""The result of one model on one view of one part, with its statistics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...scoring import chance_level
from ...stats import Floats, mean_interval
from ...types import Cell, Estimate, Items, TrainingProtocol, View
from ...views import CHOICES
from .._power import widen_interval
from .bounds import ScoreBound

COLUMNS = (
    "split", "view", "model", "accuracy", "low", "high", "chance", "p", "q", "hans", "hans_low",
    "hans_high", "flag", "protocol", "trained_on", "seeds", "n", "tie_rate", "best", "p_floor",
    "q_floor",
)  # fmt: skip
BOW = "bow"  # the model that every audit trains
BY_CONSTRUCTION, ABOVE_CHANCE, NO_CHOICES = "by construction", "above chance", "no choices"
SAW_MORE = "saw more"
FIXED = (BY_CONSTRUCTION, NO_CHOICES)  # flags of accuracies that no model can change

HansInterval = tuple[float | None, float | None, float | None]  # score, low, high
UNDEFINED: HansInterval = (None, None, None)


def name_part(split: str, protocol: str, trained_on: str | None) -> str:
    """Name what was answered: `test`, or `train → test` where it was learnt from another split."""
    return f"{trained_on} → {split}" if protocol == "train-test" and trained_on else split


def evidence_key(part: str, model: str, view: str) -> str:
    """Name the items of a part that a model always gets right from a view."""
    return f"{part}: {model} sees {view}"


@dataclass(frozen=True, slots=True)
class ViewResult:
    """The result of one model on one view of one part: credits, bounds, p and q."""

    split: str
    view: View
    view_name: str
    model: str
    protocol: TrainingProtocol
    trained_on: str | None
    items: Items
    units: list[str]
    credits: Floats  # seeds by items
    tie_rate: float
    bound: ScoreBound
    is_blind: bool
    p: float | None = None  # None: not tested
    q: float | None = None  # corrected for all blind views and parts; None: not judged
    p_floor: float | None = None  # the smallest p and q that the randomisations can show
    q_floor: float | None = None
    surest_ids: tuple[str, ...] = ()  # items that every run gets right, the clearest first
    spread: float = 0.0  # standard deviation of the accuracy where answers mean nothing
    hans: HansInterval = UNDEFINED
    answered_ids: frozenset[str] | None = None  # items that every run answered; None: all
    fold_sizes: tuple[int, ...] = ()  # of predictions that were tested fold by fold

    @property
    def part_name(self) -> str:
        """The split, after the split that was learnt from if that is another."""
        return name_part(self.split, self.protocol, self.trained_on)

    @property
    def scores(self) -> Floats:
        """Per-item means over seeds."""
        return np.asarray(self.credits.mean(axis=0))

    @property
    def accuracy(self) -> float:
        """The mean credit over items and seeds."""
        return float(self.credits.mean())

    @property
    def chance(self) -> float:
        """The expected accuracy of guessing."""
        return chance_level(self.items)

    @property
    def is_fixed(self) -> bool:
        """Whether every ranker scores the same here, by construction."""
        return self.bound.even and abs(self.accuracy - self.chance) < 1e-9

    @property
    def is_impossible(self) -> bool:
        """Whether no model that saw only the view could have this accuracy."""
        return self.bound.even_exactly and not self.is_fixed

    def has_answered(self, id: str) -> bool:
        """Whether every run answered an item."""
        return self.answered_ids is None or id in self.answered_ids

    def accuracy_interval(self) -> tuple[float, float]:
        """Return the interval of the accuracy, widened by how much training itself varies."""
        if self.is_fixed:
            return self.accuracy, self.accuracy
        low, high = mean_interval(self.scores, self.units)
        spread_width = 1.96 * self.spread
        return min(low, max(self.accuracy - spread_width, 0)), max(
            high, min(self.accuracy + spread_width, 1)
        )

    def is_above_chance(self, level: float) -> bool:
        """Whether a blind view is answered significantly above chance."""
        above = self.q is not None and self.q <= level and self.accuracy > self.chance
        return self.is_blind and not self.is_fixed and above

    def flag_text(self, level: float) -> str:
        """Return the flag of the table: what is special about this result."""
        if self.is_fixed:
            return BY_CONSTRUCTION if CHOICES in self.view.keep else NO_CHOICES
        if self.is_impossible:
            return SAW_MORE
        return ABOVE_CHANCE if self.is_above_chance(level) else ""

    def table_row(self, level: float) -> tuple[Cell, ...]:
        """Return the row of the table (see COLUMNS)."""
        estimate = self.shown_estimate(level)
        return (
            self.split, self.view_name, self.model, self.accuracy, estimate.low, estimate.high,
            self.chance, self.p, self.q, *self.hans, self.flag_text(level), self.protocol,
            self.trained_on, len(self.credits), len(self.items), self.tie_rate, self.bound.best,
            self.p_floor, self.q_floor,
        )  # fmt: skip

    def shown_estimate(self, level: float) -> Estimate:
        """Return the estimate; its interval excludes chance only where the test rejects."""
        is_significant = self.q is None or self.is_above_chance(level)
        return widen_interval(self.build_estimate(), is_significant)

    def build_estimate(self) -> Estimate:
        """Return the accuracy as an estimate."""
        return Estimate(
            f"{self.part_name}: {self.view_name} ({self.model})", self.accuracy,
            *self.accuracy_interval(), len(self.items), self.chance, split=self.part_name,
        )  # fmt: skip
