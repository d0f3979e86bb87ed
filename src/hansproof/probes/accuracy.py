"""How good are the models, and is that better than guessing, one label or the longest choice?

Every score stands beside three that need no model. Ties count by expectation, runs of several seeds
by their mean on each item. The p is of a paired randomisation against the best of the three,
one-sided, Holm-corrected. Misleads where a benchmark is exposed: see the other probes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from ..checks import check
from ..stats import (
    Floats,
    between_systems,
    bootstrap,
    holm,
    mean_interval,
)
from ..types import Benchmark, Cell, Estimate, Predictions, Result, Table
from ._baselines import above_guessing, baselines, learnt_on
from ._systems import System, by_split, systems
from ._words import many

SYSTEMS = (
    "split", "system", "runs", "accuracy", "low", "high", "bootstrap_low", "bootstrap_high",
    "chance", "majority", "longest", "n", "tie_rate", "p", "q", "flag",
)  # fmt: skip
RUNS = (
    "split", "system", "seed", "accuracy", "view", "protocol", "trained_on", "train_accuracy",
    "tokenizer", "device",
)  # fmt: skip
BELOW = "no better than a baseline"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The accuracy of every system, beside chance, majority label and longest choice."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)

    level: float = 0.05  # of the tests against the best baseline, Holm-corrected
    seed: int = 0  # of the bootstrap

    def __post_init__(self) -> None:
        check("level", self.level, 0, 1)
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        found = systems(benchmark, predictions)
        trivial = {
            split: baselines(benchmark, split, some[0].items)
            for split, some in by_split(found).items()
        }
        tests = [_against_best(system, trivial[system.split]) for system in found]
        q = holm(tests)
        rows = tuple(
            self._row(system, trivial[system.split], p, float(adjusted))
            for system, p, adjusted in zip(found, tests, q, strict=True)
        )
        below = sum(row[-1] == BELOW for row in rows)
        keys = [f"{s.split}: {s.name}" for s in found if s.scores.min() == 1]
        return Result(
            probe="accuracy",
            params=asdict(self),
            verdict="caution" if below or keys else "clear",
            sentence=_sentence(found, below),
            estimates=tuple(_estimate(row) for row in rows),
            tables={
                "systems": Table(SYSTEMS, rows),
                "runs": Table(RUNS, tuple(row for system in found for row in _runs(system))),
            },
            evidence=_missed(found),
            notes=(
                *(f"{name} is right on every item: is it the answer key itself?" for name in keys),
                *(_note(benchmark, split) for split in trivial),
            ),
        )

    def _row(
        self, system: System, trivial: dict[str, Floats], p: float, q: float
    ) -> tuple[Cell, ...]:
        scores = system.scores
        return (
            system.split, system.name, len(system.runs), float(scores.mean()),
            *mean_interval(scores, system.groups),
            *bootstrap(scores, system.groups, seed=self.seed),
            *(float(trivial[name].mean()) for name in ("chance", "majority", "longest")),
            len(system.items), system.tie_rate(), p, q, BELOW if q > self.level else "",
        )  # fmt: skip


def _against_best(system: System, trivial: dict[str, Floats]) -> float:
    """The p against the best baseline."""
    name, best = max(trivial.items(), key=lambda one: float(one[1].mean()))
    if name == "chance":
        return above_guessing(system.scores, best, system.groups)
    return between_systems(system.scores, best, system.groups, sided="greater").p


def _runs(system: System) -> list[tuple[Cell, ...]]:
    return [
        (
            system.split, system.name, run.seed, float(earned.mean()), run.view, run.protocol,
            run.trained_on, run.train_accuracy, run.tokenizer, run.device,
        )
        for run, earned in zip(system.runs, system.credits, strict=True)
    ]  # fmt: skip


def _estimate(row: tuple[Cell, ...]) -> Estimate:
    named = dict(zip(SYSTEMS, row, strict=True))
    value, low, high, chance = (float(named[k] or 0) for k in ("accuracy", "low", "high", "chance"))
    return Estimate(
        f"{named['split']}: {named['system']}", value, low, high, int(named["n"] or 0), chance
    )


def _missed(found: Sequence[System]) -> dict[str, tuple[str, ...]]:
    """Items that every run of every system gets wrong: hard, or wrongly keyed."""
    missed = {}
    for split, some in by_split(found).items():
        if sum(len(system.runs) for system in some) < 2:
            continue
        best = np.max([system.credits.max(axis=0) for system in some], axis=0)
        ids = tuple(i.id for i, most in zip(some[0].items, best, strict=True) if most == 0)
        if ids:
            missed[f"{split}: wrong in every run"] = ids
    return missed


def _sentence(found: Sequence[System], below: int) -> str:
    parts = by_split(found)
    said = []
    for split, some in parts.items():
        best = max(some, key=lambda system: float(system.scores.mean()))
        who = f"the best of {len(some)} systems, {best.name}," if len(some) > 1 else best.name
        said.append(f"in {split} {who} is right {best.scores.mean():.1%} of the time")
    text = "; ".join(said) + f" (chance {found[0].chance:.1%})"
    if not below:
        rest = "every score beats the best trivial baseline"
    else:
        rest = (
            f"{below} of {many(len(found), 'score')} cannot be told from the best trivial baseline"
        )
    return f"{text[0].upper()}{text[1:]}; {rest}."


def _note(benchmark: Benchmark, split: str) -> str:
    counted = learnt_on(benchmark, split)
    own = ", which favours that baseline" if counted == split else ""
    return f"{split}: the majority label is that of {counted}{own}."
