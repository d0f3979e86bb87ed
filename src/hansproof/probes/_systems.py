"""Runs that belong together: a system is one model, one view, one training set, many seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..benchmarks import take
from ..credit import credit, tied
from ..errors import BadInput
from ..stats import Floats
from ..types import FULL, Benchmark, Items, Predictions
from ._baselines import chance

Counting = Literal["mean", "pooled"]  # how items with several runs are counted in a test
# params that differ between runs of a system, as seeds do
PER_RUN = ("chosen", "cut", "epoch", "run", "sequences", "trials")


@dataclass(frozen=True, slots=True)
class System:
    """The runs of one system on one split, and what each earns on each item."""

    split: str
    name: str
    items: Items
    runs: tuple[Predictions, ...]
    credits: Floats  # runs by items

    @property
    def scores(self) -> Floats:
        """Per-item means over the runs."""
        return np.asarray(self.credits.mean(axis=0))

    @property
    def groups(self) -> list[str | None]:
        """The groups of the items."""
        return [item.group for item in self.items]

    @property
    def chance(self) -> float:
        """What guessing earns."""
        return chance(self.items)

    def tie_rate(self) -> float:
        """How often more than one choice is ahead."""
        ties = [tied(run.scores[item.id]) for run in self.runs for item in self.items]
        return float(np.mean(ties))


def systems(benchmark: Benchmark, predictions: Sequence[Predictions]) -> tuple[System, ...]:
    """All systems, in the order of their first run; each split has its own."""
    if not predictions:
        raise BadInput("--predictions", "this probe needs what models said: give it files")
    together: dict[object, list[Predictions]] = defaultdict(list)
    for run in predictions:
        params = {k: v for k, v in run.params.items() if k not in PER_RUN}
        key = (
            run.split,
            run.model,
            run.view,
            run.trained_on,
            run.protocol,
            repr(sorted(params.items())),
        )
        together[key].append(run)
    names = _names([runs[0] for runs in together.values()])
    return tuple(
        _system(benchmark, name, tuple(runs))
        for name, runs in zip(names, together.values(), strict=True)
    )


def by_split(found: Sequence[System]) -> dict[str, list[System]]:
    """The systems of every split."""
    splits: dict[str, list[System]] = defaultdict(list)
    for system in found:
        splits[system.split].append(system)
    return dict(splits)


def _system(benchmark: Benchmark, name: str, runs: tuple[Predictions, ...]) -> System:
    split = runs[0].split
    items = take(benchmark, split).splits[split]
    if any(item.answer is None for item in items):
        raise BadInput(benchmark.name, "has no answers to score predictions by", field=split)
    credits = [[credit(run.scores[i.id], i.answer or 0) for i in items] for run in runs]
    return System(split, name, items, runs, np.array(credits))


def _names(firsts: list[Predictions]) -> list[str]:
    """The model and its view, and as much more as tells systems of a split apart."""
    names = [run.model + (f", {run.view}" if run.view != FULL else "") for run in firsts]
    more = (
        lambda run, alike: f"trained on {run.trained_on}" if run.trained_on else "",
        lambda run, alike: run.protocol,
        _params,
    )
    for say in more:
        together: dict[object, list[Predictions]] = defaultdict(list)
        keys = [(run.split, name) for run, name in zip(firsts, names, strict=True)]
        for key, run in zip(keys, firsts, strict=True):
            together[key].append(run)
        told = [
            (say(run, together[key]), {say(one, together[key]) for one in together[key]})
            for key, run in zip(keys, firsts, strict=True)
        ]
        names = [
            f"{name}, {word}" if word and len(words) > 1 else name
            for name, (word, words) in zip(names, told, strict=True)
        ]
    return names


def _params(run: Predictions, alike: Sequence[Predictions]) -> str:
    """Those in which runs differ that are called alike."""
    every = [one.params for one in alike]
    return ", ".join(
        f"{name}={value}"
        for name, value in run.params.items()
        if name not in PER_RUN and any(name not in p or p[name] != value for p in every)
    )
