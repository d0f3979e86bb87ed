"""Sentences and verdicts about what a probe could have seen where it found nothing."""

from __future__ import annotations

from dataclasses import dataclass

from ..scoring import include_chance
from ..stats import ENOUGH_POWER, round_up
from ..types import POOLED, UNNAMED_SPLIT, Estimate, Verdict

ALMOST_CERTAIN = 0.99


@dataclass(frozen=True, slots=True)
class SplitPower:
    """The probability of detecting a shortcut worth the margin in a split, and the items needed."""

    split: str
    n: int
    power: float
    n_needed: int | None = None  # None: balanced by design, or no number of items is enough

    @property
    def is_enough(self) -> bool:
        """Whether finding nothing is informative: a shortcut would probably be detected."""
        return self.power >= ENOUGH_POWER

    @property
    def is_by_construction(self) -> bool:
        """Whether no shortcut of this kind is possible, whatever the number of items."""
        return self.power == 1 and self.n_needed is None


def decide_absence(power: SplitPower) -> Verdict:
    """Return the verdict where nothing was found: clear only if a shortcut would have been
    detected.
    """
    return "clear" if power.is_enough else "undecided"


def describe_power(power: SplitPower, margin: float, shortcut: str = "shortcut") -> str:
    """Say how likely a shortcut worth the margin would have been found."""
    effect = f"{shortcut} worth {100 * margin:g} points"
    if power.is_enough:
        almost = "almost certainly" if power.power >= ALMOST_CERTAIN else ""
        likely = almost or f"with a probability of {power.power:.0%}"
        return f"A {effect} would have been found {likely}."
    location = "" if power.split in (POOLED, UNNAMED_SPLIT) else f" in {power.split}"
    items = f"1 item{location}" if power.n == 1 else f"{power.n:,} items{location}"
    digits = 1 if round(power.power, 2) >= ENOUGH_POWER else 0  # never 80% where that is enough
    likely = "almost never" if power.power < 0.005 else f"only {power.power:.{digits}%} of the time"
    # an extrapolation from very few items may not exceed their number, and says nothing then
    is_known = power.n_needed is not None and round_up(power.n_needed) > power.n
    needed = f"; about {round_up(power.n_needed or 0):,} items are needed" if is_known else ""
    return f"With {items}, a {effect} would be found {likely}{needed}."


def widen_interval(estimate: Estimate, is_significant: bool) -> Estimate:
    """Widen an interval to include chance where the corrected test does not reject."""
    return estimate if is_significant else include_chance(estimate)
