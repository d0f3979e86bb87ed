"""The matrix: a pair for each benchmark that is trained on and each that is tested on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...stats import holm
from ...types import Cell, Table
from .applied import Said
from .cells import Measured, cell
from .shared import shared
from .sides import Side, sources

COLUMNS = (
    "trained_on", "trained_split", "tested_on", "split", "model", "seeds", "over", "accuracy",
    "low", "high", "sd", "chance", "n", "p", "q", "shared", "flag",
)  # fmt: skip
CARRIES = "carries over"
CHANCE = "chance"


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """What models of one benchmark earn on another, or on their own."""

    source: Side
    target: Side
    found: Measured
    shared: tuple[str, ...]  # tested items that also stand in the training split
    q: float | None = None  # none on their own
    flag: str = ""

    @property
    def name(self) -> str:
        """From where to where."""
        return f"{self.source.name} → {self.target.name}"

    @property
    def own(self) -> bool:
        """Whether it is on the diagonal."""
        return self.source.name == self.target.name

    @property
    def gain(self) -> float:
        """What it earns beyond guessing."""
        return self.found.accuracy - self.found.chance

    def row(self, model: str, over: str) -> tuple[Cell, ...]:
        """Of the table."""
        one = self.found
        return (
            self.source.name, self.source.train, self.target.name, self.target.split, model,
            one.seeds, over, one.accuracy, one.low, one.high, one.sd, one.chance, one.n, one.p,
            self.q, len(self.shared), self.flag,
        )  # fmt: skip


def paired(source: Side, target: Side, said: Sequence[Said], best: bool) -> Pair:
    """What these models of a source earn; of equals that are best at home, the first."""
    home = [float(one.credits[source.name].mean()) for one in said]
    found = cell(
        [one.credits[target.name] for one in said],
        target.groups,
        target.guess,
        int(np.argmax(home)) if best else None,
    )
    return Pair(source, target, found, shared(source.learnt, target.items))


def corrected(pairs: Sequence[Pair], level: float) -> list[Pair]:
    """The same with q over all that lie off the diagonal."""
    off = [pair for pair in pairs if not pair.own]
    q = iter(holm([pair.found.p for pair in off]).tolist())
    return [pair if pair.own else _judged(pair, next(q), level) for pair in pairs]


def _judged(pair: Pair, q: float, level: float) -> Pair:
    return replace(pair, q=q, flag=CARRIES if q <= level else "")


def wide(every: Sequence[Side], pairs: Sequence[Pair]) -> Table:
    """Accuracies as the paper prints them, guessing in the last row."""
    rows: list[tuple[Cell, ...]] = [
        (source.name, *(p.found.accuracy for p in pairs if p.source is source))
        for source in sources(every)
    ]
    rows.append((CHANCE, *(float(side.guess.mean()) for side in every)))
    return Table(("trained on", *(side.name for side in every)), tuple(rows))


def evidence(pairs: Sequence[Pair], name: str) -> dict[str, tuple[str, ...]]:
    """Items of the benchmark of that name that models had learnt from elsewhere, or at home."""
    here = (pair for pair in pairs if pair.target.name == name and pair.shared)
    return {f"{pair.name}: also learnt from": pair.shared for pair in here}
