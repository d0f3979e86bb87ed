"""The accuracy of one tell on one slice, with its test and its power."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from ...cues.permutation import rotate_credits
from ...scoring import chance_level
from ...stats import (
    ENOUGH_POWER,
    Floats,
    binomial_p,
    binomial_power,
    group_count,
    group_numbers,
    items_needed,
    mean_interval,
    normal_power,
    weighted_hits_p,
)
from ...types import Cell, Estimate, Item, Items
from .._power import SplitPower, widen_interval
from .slices import ItemSlice
from .tells import PickChoices

COLUMNS = (
    "split", "slice", "tell", "accuracy", "low", "high", "chance", "n", "applies", "tie_rate",
    "p", "q", "flag",
)  # fmt: skip
TELL = "tell"  # the flag of a tell that is significant

GroupIds = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class TellScore:
    """The accuracy of one tell on one slice."""

    split: str
    slice: str
    slice_key: str  # of `meta`; empty for all items
    tell: str
    accuracy: float
    low: float
    high: float
    chance: float
    n: int
    tie_rate: float
    p: float
    solved_ids: tuple[str, ...]  # items the tell, or its opposite, answers alone
    n_applies: int  # items in which the tell picks some of the choices
    odds: float  # by chance, its picks contain the answer so often
    picks: float  # mean number of choices that it picks, where it applies
    best_gain: float  # over guessing, if its picks always contained the answer
    null_sd: float | None  # of the sum of scores, where items are grouped
    share: float = 1.0  # of the split's items that are in the slice

    def gain(self) -> float:
        """Return the gain over guessing of following the tell, or of avoiding its picks."""
        above = self.accuracy - self.chance
        return above if above > 0 else -above * self.chance / (1 - self.chance)

    def split_gain(self) -> float:
        """Return what the tell is worth over the whole split."""
        return self.gain() * self.share

    def can_gain(self, margin: float) -> bool:
        """Return whether the tell applies so often that it could be worth the margin."""
        return self.n_applies > 0 and self.best_gain >= margin

    def table_row(self, q: float, level: float) -> tuple[Cell, ...]:
        """Return the row of the table (see COLUMNS)."""
        estimate = widen_interval(self.build_estimate(), q <= level)
        return (
            self.split, self.slice, self.tell, self.accuracy, estimate.low, estimate.high,
            self.chance, self.n, self.n_applies / self.n, self.tie_rate, self.p, q,
            TELL if q <= level else "",
        )  # fmt: skip

    def build_estimate(self) -> Estimate:
        """Return the accuracy as an estimate."""
        name = f"{self.split}: {self.tell}" + (f", {self.slice}" if self.slice else "")
        return Estimate(
            name, self.accuracy, self.low, self.high, self.n, self.chance, split=self.split
        )

    def test_power(self, margin: float, level: float) -> float:
        """Compute how likely the test is to reject if the tell lifts accuracy by the margin."""
        if self._is_balanced(margin):
            return 1.0
        return float(self._power_at(np.array([self.n], np.float64), margin, level)[0])

    def compute_power(self, margin: float, level: float) -> SplitPower:
        """Compute the power of the test, and with how many items it would be enough."""
        power = self.test_power(margin, level)
        if self._is_balanced(margin):
            return SplitPower(self.split, self.n, power)
        needed = items_needed(lambda n: self._power_at(n, margin, level))
        if needed is not None and power < ENOUGH_POWER:
            # exact powers go up and down: fewer items may have enough where these have not
            needed = max(needed, self.n + 1)
        return SplitPower(self.split, self.n, power, needed)

    def _is_balanced(self, margin: float) -> bool:
        """Return whether the tell gains nothing by construction of the items."""
        return self.can_gain(margin) and self.null_sd == 0

    def _power_at(self, n: Floats, margin: float, level: float) -> Floats:
        """Return the power with other numbers of items.

        A tell that applies too rarely for such a lift is taken as if it applied to all items.
        """
        null_sd, n_applies, odds, picks = self.null_sd, self.n_applies, self.odds, self.picks
        if not self.can_gain(margin):
            null_sd, n_applies, odds, picks = None, self.n, self.chance, 1.0
        if null_sd is not None:
            sds = null_sd * np.sqrt(n / self.n)
            rows = zip(n.tolist(), sds.tolist(), strict=True)
            return np.array([normal_power(margin * size, sd, level) for size, sd in rows])
        lift = margin * self.n / n_applies * picks
        return binomial_power(np.round(n * n_applies / self.n), odds, lift, level)


def score_tell(
    split: str, part: ItemSlice, tell: str, pick_choices: PickChoices, groups: GroupIds
) -> TellScore:
    """Score the choices that a tell picks, and test them against chance."""
    items = part.items
    picked = [pick_choices(item) for item in items]
    sizes = np.array([len(item.choices) for item in items])
    number = np.array([len(picks) for picks in picked])
    right = np.array([item.answer in picks for item, picks in zip(items, picked, strict=True)])
    scores, applies = right / number, number < sizes
    null_sd, chance = None, chance_level(items)
    # where the tell says something, its picks contain the answer with probability t/m by chance
    odds = float((number / sizes)[applies].mean()) if applies.any() else 0.5
    if group_count(groups) < len(groups):
        p, null_sd = compute_grouped_p(items, picked, groups)
    elif np.unique(number[applies]).size > 1:
        p = weighted_hits_p(right[applies], 1 / number[applies], (number / sizes)[applies])
    else:
        p = float(binomial_p(int(right[applies].sum()), int(applies.sum()), odds))
    is_above = scores.mean() >= chance
    decisive = applies & (right & (number == 1) if is_above else ~right & (number == sizes - 1))
    return TellScore(
        split, part.name, part.key, tell, float(scores.mean()), *mean_interval(scores, groups),
        chance, len(items), float((number > 1).mean()), p,
        tuple(items[i].id for i in np.flatnonzero(decisive)), int(applies.sum()), odds,
        float(number[applies].mean()) if applies.any() else 1.0,
        float((1 / number - 1 / sizes).mean()), null_sd,
    )  # fmt: skip


def compute_grouped_p(
    items: Items, picked: list[list[int]], groups: GroupIds
) -> tuple[float, float]:
    """Return the two-sided p of a tell where the items of a group are dependent, and its sd.

    Under the null the answers of a group are rotated together by a random number of positions.
    The mean and the variance of its score can be enumerated; groups are independent.
    """
    names = [str(number) for number in group_numbers(groups)]
    rotated = rotate_credits(items, names, [*map(_credit_choices, items, picked)])
    distance = sum(float(scores[0] - scores.mean()) for scores in rotated)
    variance = sum(float(scores.var()) for scores in rotated)
    if variance <= 1e-12:
        return 1.0, 0.0
    return float(2 * ndtr(-abs(distance) / math.sqrt(variance))), math.sqrt(variance)


def _credit_choices(item: Item, picks: list[int]) -> list[float]:
    """Return what a tell earns with each choice as the answer."""
    return [1 / len(picks) if choice in picks else 0.0 for choice in range(len(item.choices))]
