"""How one system does on Easy and on Hard, by one way to tell them apart."""

from __future__ import annotations

from dataclasses import dataclass

from ...stats import Floats, Tested, between_parts, bootstrap_gap
from ...types import FULL, Cell, Estimate
from .._systems import Counting, System
from .sources import AT_CHANCE, CROSS, OTHER, Source, marked

CONTROLS = (OTHER, CROSS)  # what can tell reliance from selection
COLUMNS = (
    "split", "system", "easy_from", "relation", "runs", "easy", "easy_sd", "hard", "hard_sd", "gap",
    "low", "high", "p", "q", "method", "n_easy", "n_hard", "flag",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """Accuracy by run on both parts, and the test of their difference."""

    system: System
    source: Source
    easy: Floats
    hard: Floats
    tested: Tested
    interval: tuple[float, float]

    @property
    def size(self) -> float:
        """Easy minus Hard."""
        return self.tested.difference

    @property
    def relation(self) -> str:
        """What whoever chose Easy is to the model tested."""
        return self.source.relation(self.system.runs[0].model)

    @property
    def counts(self) -> bool:
        """Whether it is judged: of a system that saw all, by a source that knows something."""
        return self.relation != AT_CHANCE and self.system.runs[0].view == FULL

    @property
    def controlled(self) -> bool:
        """Whether it tells reliance from selection."""
        return self.relation in CONTROLS

    def row(self, q: float | None, flag: str) -> tuple[Cell, ...]:
        """The row of the table."""
        n_easy = len(self.source.easy)
        return (
            self.system.split, self.system.name, self.source.name, self.relation,
            len(self.system.runs), float(self.easy.mean()), float(self.easy.std()),
            float(self.hard.mean()), float(self.hard.std()), self.size, *self.interval,
            self.tested.p, q, self.tested.method, n_easy, self.source.n - n_easy, flag,
        )  # fmt: skip

    def estimate(self) -> Estimate:
        """The gap with its company."""
        name = f"{self.system.split}: {self.system.name}, gap with Easy from {self.source.name}"
        low, high = self.interval
        return Estimate(name, self.size, low, high, self.source.n, 0.0)


def gap(system: System, source: Source, seeds: Counting, rounds: int, seed: int) -> Gap:
    """Measure one; groups are kept whole, so that items that share their fate count once."""
    mark, groups = marked(system.items, source), system.groups
    scores, marks = system.scores, mark
    if seeds == "pooled":
        runs = len(system.runs)
        scores, marks = system.credits.ravel(), mark.repeat(runs).reshape(-1, runs).T.ravel()
        groups = [g and f"{g}/{run}" for run in range(runs) for g in groups]
    tested = between_parts(scores, marks, groups, rounds, seed)
    interval = bootstrap_gap(scores, marks, groups, seed=seed)
    easy, hard = system.credits[:, mark].mean(axis=1), system.credits[:, ~mark].mean(axis=1)
    return Gap(system, source, easy, hard, tested, interval)
