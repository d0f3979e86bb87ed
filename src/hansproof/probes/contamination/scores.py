"""What one system earns on clean and on dirty items (Branco et al. 2021, tables 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...contamination.levels import SHORT, Finding
from ...stats import Tested, between_parts, bootstrap_gap
from ...types import Cell, Estimate
from .._systems import System

COLUMNS = (
    "split", "system", "runs", "all", "clean", "clean_delta", "dirty", "dirty_delta",
    "difference", "low", "high", "p", "q", "method", "n_clean", "n_dirty", "n_unsearchable",
)  # fmt: skip
FEW = 5  # items that both parts must have to be compared


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """Accuracy on all items, on clean and on dirty ones; items that are neither are left out."""

    system: System
    whole: float
    clean: float | None
    dirty: float | None
    sizes: tuple[int, int, int]  # clean, dirty, unsearchable
    tested: Tested | None = None
    interval: tuple[float, float] | None = None

    @property
    def both(self) -> bool:
        """Whether there are clean items and dirty ones: else there is no difference."""
        return self.clean is not None and self.dirty is not None

    @property
    def size(self) -> float:
        """Dirty minus clean."""
        return (self.dirty or 0.0) - (self.clean or 0.0)

    @property
    def p(self) -> float:
        """Of the randomisation test."""
        assert self.tested is not None
        return self.tested.p

    def row(self, q: float | None) -> tuple[Cell, ...]:
        """Of the table."""
        return (
            self.system.split, self.system.name, len(self.system.runs), self.whole,
            self.clean, _minus(self.clean, self.whole), self.dirty, _minus(self.dirty, self.whole),
            self.size if self.both else None, *(self.interval or (None, None)),
            self.tested and self.tested.p, q, self.tested.method if self.tested else "too few",
            *self.sizes,
        )  # fmt: skip

    def estimate(self) -> Estimate:
        """The difference with its company."""
        name = f"{self.system.split}: {self.system.name}, dirty minus clean"
        low, high = self.interval or (None, None)
        return Estimate(name, self.size, low, high, sum(self.sizes[:2]), 0.0)


def _minus(one: float | None, other: float) -> float | None:
    return None if one is None else one - other


def gap(
    system: System, found: Sequence[Finding], dirty: tuple[str, ...], rounds: int, seed: int
) -> Gap:
    """Measure one; items of a group share their fate, and are dealt together."""
    level = {one.item.id: one.level for one in found}
    levels = [level[item.id] for item in system.items]
    short = np.array([one == SHORT for one in levels])
    mark = np.array([one in dirty for one in levels])[~short]
    scores = system.scores[~short]
    groups = [g for g, out in zip(system.groups, short, strict=True) if not out]
    sizes = int((~mark).sum()), int(mark.sum()), int(short.sum())
    clean, foul = (float(scores[m].mean()) if m.any() else None for m in (~mark, mark))
    whole = float(system.scores.mean())
    if min(sizes[:2]) < FEW:
        return Gap(system, whole, clean, foul, sizes)
    tested = between_parts(scores, mark, groups, rounds, seed)
    return Gap(system, whole, clean, foul, sizes, tested,
               bootstrap_gap(scores, mark, groups, seed=seed))  # fmt: skip
