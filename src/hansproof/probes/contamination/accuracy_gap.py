"""The accuracy of a system on clean and on dirty items (Branco et al. 2021, tables 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...contamination.levels import SHORT, ItemFinding
from ...inputs.systems import System
from ...stats import RandomisationResult, bootstrap_gap, grouped_randomisation_test
from ...types import Cell, Estimate

COLUMNS = (
    "split", "system", "runs", "all", "clean", "clean_delta", "dirty", "dirty_delta",
    "difference", "low", "high", "p", "q", "method", "n_clean", "n_dirty", "n_unsearchable",
)  # fmt: skip
MIN_ITEMS = 5  # items that both parts must have to be compared


@dataclass(frozen=True, slots=True, eq=False)
class CleanDirtyGap:
    """Accuracy on all, clean and dirty items; items that could not be searched for are neither."""

    system: System
    overall: float
    clean: float | None
    dirty: float | None
    sizes: tuple[int, int, int]  # clean, dirty, unsearchable
    test: RandomisationResult | None = None
    interval: tuple[float, float] | None = None

    @property
    def has_both(self) -> bool:
        """Whether there are both clean and dirty items, and so a difference."""
        return self.clean is not None and self.dirty is not None

    @property
    def size(self) -> float:
        """Dirty minus clean."""
        return (self.dirty or 0.0) - (self.clean or 0.0)

    @property
    def p(self) -> float:
        """The p of the randomisation test."""
        assert self.test is not None
        return self.test.p

    def table_row(self, q: float | None) -> tuple[Cell, ...]:
        """Return the row of the table (see COLUMNS)."""
        return (
            self.system.split, self.system.name, len(self.system.runs), self.overall,
            self.clean, _subtract_optional(self.clean, self.overall),
            self.dirty, _subtract_optional(self.dirty, self.overall),
            self.size if self.has_both else None, *(self.interval or (None, None)),
            self.test and self.test.p, q, self.test.method if self.test else "too few",
            *self.sizes,
        )  # fmt: skip

    def build_estimate(self) -> Estimate:
        """Return the difference as an estimate."""
        split, (low, high) = self.system.split, self.interval or (None, None)
        return Estimate(
            f"{split}: {self.system.name}, dirty minus clean", self.size, low, high,
            sum(self.sizes[:2]), 0.0, kind="difference", split=split,
        )  # fmt: skip


def _subtract_optional(value: float | None, other: float) -> float | None:
    return None if value is None else value - other


def measure_gap(
    system: System, findings: Sequence[ItemFinding], dirty: tuple[str, ...], rounds: int, seed: int
) -> CleanDirtyGap:
    """Measure the gap of one system; the test permutes the items of a group together."""
    level_of = {finding.item.id: finding.level for finding in findings}
    levels = [level_of[item.id] for item in system.items]
    is_short = np.array([item_level == SHORT for item_level in levels])
    is_dirty = np.array([item_level in dirty for item_level in levels])[~is_short]
    scores = system.scores[~is_short]
    groups = [g for g, excluded in zip(system.groups, is_short, strict=True) if not excluded]
    sizes = int((~is_dirty).sum()), int(is_dirty.sum()), int(is_short.sum())
    clean_mean, dirty_mean = (
        float(scores[m].mean()) if m.any() else None for m in (~is_dirty, is_dirty)
    )
    overall = float(system.scores.mean())
    if min(sizes[:2]) < MIN_ITEMS:
        return CleanDirtyGap(system, overall, clean_mean, dirty_mean, sizes)
    test = grouped_randomisation_test(scores, is_dirty, groups, rounds, seed)
    interval = bootstrap_gap(scores, is_dirty, groups, seed=seed)
    return CleanDirtyGap(system, overall, clean_mean, dirty_mean, sizes, test, interval)
