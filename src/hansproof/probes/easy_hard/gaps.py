"""The accuracy of a system on Easy and on Hard, for one way to tell them apart."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...inputs.systems import SeedCounting, System
from ...stats import (
    Floats,
    RandomisationResult,
    bootstrap_gap,
    grouped_randomisation_test,
    holm,
    stratified_randomisation_test,
)
from ...types import FULL, Cell, Estimate
from .sources import AT_CHANCE, CROSS_VALIDATED_RULES, OTHER_MODEL, EasySource, easy_mask

CONTROLS = (OTHER_MODEL, CROSS_VALIDATED_RULES)  # what can tell reliance from selection
GAP = "gap"  # the flag of a gap that is significant, also where right choices share their place
COLUMNS = (
    "split", "system", "easy_from", "relation", "runs", "easy", "easy_sd", "hard", "hard_sd", "gap",
    "low", "high", "p", "q", "method", "gap_same_place", "q_same_place", "n_easy", "n_hard", "flag",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class EasyHardGap:
    """Accuracy by run on both parts, and the tests of their difference.

    `same_place` compares only Easy and Hard items that have as many choices and the right one at
    the same place: what a model gains by preferring a place is no gap there.
    """

    system: System
    source: EasySource
    easy: Floats
    hard: Floats
    test: RandomisationResult
    same_place: RandomisationResult
    interval: tuple[float, float]

    @property
    def size(self) -> float:
        """Easy minus Hard."""
        return self.test.difference

    @property
    def relation(self) -> str:
        """How the source of Easy is related to the tested model."""
        return self.source.relation_to(self.system.runs[0].model)

    @property
    def is_judged(self) -> bool:
        """Whether the gap is tested: the system saw everything, the source is above chance."""
        return self.relation != AT_CHANCE and self.system.runs[0].view == FULL

    @property
    def is_controlled(self) -> bool:
        """Whether the source is a control, which tells reliance from selection."""
        return self.relation in CONTROLS

    def table_row(self, q: float | None, q_same_place: float | None, flag: str) -> tuple[Cell, ...]:
        """Return the row of the table (see COLUMNS)."""
        n_easy = int(easy_mask(self.system.items, self.source).sum())
        return (
            self.system.split, self.system.name, self.source.name, self.relation,
            len(self.system.runs), float(self.easy.mean()), float(self.easy.std()),
            float(self.hard.mean()), float(self.hard.std()), self.size, *self.interval,
            self.test.p, q, self.test.method, self._gap_same_place, q_same_place, n_easy,
            len(self.system.items) - n_easy, flag,
        )  # fmt: skip

    @property
    def is_comparable(self) -> bool:
        """Whether some Easy and Hard items have the right choice at the same place."""
        return not math.isnan(self.same_place.difference)

    @property
    def _gap_same_place(self) -> float | None:
        return self.same_place.difference if self.is_comparable else None

    def build_estimate(self) -> Estimate:
        """Return the gap as an estimate."""
        split = self.system.split
        return Estimate(
            f"{split}: {self.system.name}, gap with Easy from {self.source.name}", self.size,
            *self.interval, len(self.system.items), 0.0, kind="difference", split=split,
        )  # fmt: skip


def measure_gap(
    system: System, source: EasySource, seeds: SeedCounting, rounds: int, seed: int
) -> EasyHardGap:
    """Measure the gap of one system; the test permutes the items of a group together.

    Items that were not asked of the system, or of the source of Easy, are left out.
    """
    system = system.select_items(source.ids)
    mark, groups = easy_mask(system.items, source), system.groups
    places = [(len(item.choices), item.answer) for item in system.items]
    scores, marks = system.scores, mark
    if seeds == "pooled":
        runs = len(system.runs)
        scores, marks = system.credits.ravel(), mark.repeat(runs).reshape(-1, runs).T.ravel()
        groups = [g and f"{g}/{run}" for run in range(runs) for g in groups]
        places *= runs
    test = grouped_randomisation_test(scores, marks, groups, rounds, seed)
    same_place = stratified_randomisation_test(scores, marks, places, groups, rounds, seed)
    interval = bootstrap_gap(scores, marks, groups, seed=seed)
    easy, hard = system.credits[:, mark].mean(axis=1), system.credits[:, ~mark].mean(axis=1)
    return EasyHardGap(system, source, easy, hard, test, same_place, interval)


@dataclass(frozen=True, slots=True)
class GapTests:
    """The tests of all gaps that are judged, corrected for their number."""

    q: dict[EasyHardGap, float]
    q_same_place: dict[EasyHardGap, float]
    wide: list[EasyHardGap]  # significant, also where right choices have the same place
    by_place: list[EasyHardGap]  # significant only if the places are ignored

    def table_row(self, gap: EasyHardGap) -> tuple[Cell, ...]:
        """Return the row of a gap, judged or not (see COLUMNS)."""
        flag = GAP if gap in self.wide else ""
        return gap.table_row(self.q.get(gap), self.q_same_place.get(gap), flag)


def correct_gaps(judged: list[EasyHardGap], level: float) -> GapTests:
    """Correct the tests of gaps by Holm's method, and select those that are significant."""
    q = dict(zip(judged, holm([gap.test.p for gap in judged]).tolist(), strict=True))
    comparable = [gap for gap in judged if gap.is_comparable]
    same_place = holm([gap.same_place.p for gap in comparable]).tolist()
    q_same_place = dict(zip(comparable, same_place, strict=True))
    significant = [gap for gap in judged if q[gap] <= level and gap.size > 0]
    wide = [
        gap
        for gap in significant
        if q_same_place.get(gap, 1.0) <= level and gap.same_place.difference > 0
    ]
    return GapTests(q, q_same_place, wide, [gap for gap in significant if gap not in wide])
