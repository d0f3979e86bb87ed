"""Exact tests of picks: is the choice that a rule or a model picks right more often than by chance?

The items of a leakage group are one unit. Its answers rotate together under the null hypothesis, so
a unit counts as a success if its picks are right more often than on average over all rotations, as
a failure if less often, and not at all otherwise: mirrored pairs, of which one is always right, say
nothing. With groups of one item this is the plain binomial test. A group of which the items differ
so much in their number of choices that its rotations cannot be listed counts as its first item.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..cues.counts import ChoiceLayout
from ..cues.permutation import AnswerRotations
from ..stats import Floats, binomial_sf
from .features import Ints, Mask
from .rule import NO_PICK, pick_choices

MAX_ROTATIONS = 60  # that are listed of a group
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class PickTester:
    """Tests picks against chance, group by group."""

    layout: ChoiceLayout
    group: Ints
    rotated: Ints | None  # answers by item and rotation; None: no group has several items
    n_rotations: Ints  # by group of several items; then its answers repeat. 0: there are too many

    def test(self, picks: Ints, answers: Ints, tested: Mask, is_telling: bool = True) -> float:
        """Return the one-sided p: that picks are right (or wrong) so often by chance."""
        items = self._drop_uncounted(np.flatnonzero(tested & (picks != NO_PICK)))
        picked = picks[items] - self.layout.first[items]
        hit, chance = picked == answers[items], self.layout.chance[items]
        if self.rotated is None:
            odds = chance if is_telling else 1 - chance
            return _sum_p(int((hit == is_telling).sum()), odds)
        groups, unit, n_items = np.unique(
            self.group[items], return_inverse=True, return_counts=True
        )
        sign = 1.0 if is_telling else -1.0
        surplus = sign * np.bincount(unit, hit - chance)
        null = np.stack(
            [sign * np.bincount(unit, (picked == column) - chance)
             for column in self.rotated[items].T], axis=1
        )  # fmt: skip
        n_rotations = self.n_rotations[groups]
        is_listed = np.arange(null.shape[1]) < n_rotations[:, None]
        above = (is_listed & (null > ROUNDING)).sum(axis=1)
        below = (is_listed & (null < -ROUNDING)).sum(axis=1)
        is_alone = n_items == 1  # then every choice is as likely to be the answer
        odds_alone = np.bincount(unit, chance if is_telling else 1 - chance)
        odds = np.where(is_alone, odds_alone, above / np.maximum(above + below, 1))
        counts = np.abs(surplus) > ROUNDING
        return _sum_p(int((surplus[counts] > 0).sum()), odds[counts])

    def _drop_uncounted(self, items: Ints) -> Ints:
        """Keep only the first item of each group whose rotations are not listed."""
        group = self.group[items]
        is_counted = self.n_rotations[group] > 0
        if not is_counted.all():
            is_counted[np.unique(group, return_index=True)[1]] = True
        return items[is_counted]


def _sum_p(successes: int, odds: Floats) -> float:
    """Return the probability of so many successes.

    Where the odds differ, a binomial with their mean has the heavier tail (Hoeffding 1956).
    """
    if not odds.size or successes < odds.sum() + 1:
        mean = float(odds.mean()) if odds.size else 1.0
        return 1.0 if odds.size and np.ptp(odds) > ROUNDING else _tail(successes, odds.size, mean)
    return _tail(successes, odds.size, float(odds.mean()))


def _tail(successes: int, n: int, chance: float) -> float:
    return float(binomial_sf(successes, n, chance)) if n else 1.0


def make_tester(layout: ChoiceLayout, rotations: AnswerRotations) -> PickTester:
    """Prepare tests of picks; the rotations of groups are listed once."""
    n_groups = int(rotations.group.max()) + 1
    n_rotations = np.ones(n_groups, np.int64)
    np.lcm.at(n_rotations, rotations.group, rotations.sizes)
    n_rotations[n_rotations > MAX_ROTATIONS] = 0
    n_rotations[np.bincount(rotations.group) == 1] = 1
    if n_groups == layout.chance.size:
        return PickTester(layout, rotations.group, None, n_rotations)
    steps = range(max(int(n_rotations.max()), 1))
    rotated = [rotations.rotate(np.full(n_groups, step)) for step in steps]
    return PickTester(layout, rotations.group, np.stack(rotated, axis=1), n_rotations)


def top_picks(scores: Floats, layout: ChoiceLayout) -> Ints:
    """Return for each item the row of the choice with the highest score; NO_PICK if some tie."""
    largest = np.maximum.reduceat(scores, layout.first[:-1])
    return pick_choices(scores == largest[layout.item], layout)
