"""Groups runs into systems: one model, one view, one training set, many seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..benchmarks import take_split
from ..errors import BadInput
from ..scoring import chance_level, expected_credit, is_tied
from ..stats import Floats
from ..types import FULL, Benchmark, Items, Predictions

SeedCounting = Literal["mean", "pooled"]  # how items with several runs are counted in a test
# params that may differ between runs of a system, like seeds
PER_RUN_PARAMS = ("chosen", "cut", "epoch", "run", "sequences", "trials")


@dataclass(frozen=True, slots=True)
class System:
    """The runs of one system on one split, and the credit of each run for each item."""

    split: str
    name: str
    items: Items
    runs: tuple[Predictions, ...]
    credits: Floats  # runs by items

    @property
    def name_without_view(self) -> str:
        """The name without the view, which comes after the model."""
        model, view = self.runs[0].model, _view_suffix(self.runs[0])
        return model + self.name.removeprefix(model).removeprefix(view)

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
        """The expected accuracy of guessing."""
        return chance_level(self.items)

    def tie_rate(self) -> float:
        """Return the share of answers in which several choices have the highest score."""
        ties = [is_tied(run.scores[item.id]) for run in self.runs for item in self.items]
        return float(np.mean(ties))


def build_systems(benchmark: Benchmark, predictions: Sequence[Predictions]) -> tuple[System, ...]:
    """Group runs into systems, per split, in the order of their first run."""
    if not predictions:
        raise BadInput("--predictions", "this probe needs what models said: give it files")
    runs_by_key: dict[object, list[Predictions]] = defaultdict(list)
    for run in predictions:
        params = {k: v for k, v in run.params.items() if k not in PER_RUN_PARAMS}
        key = (
            run.split,
            run.model,
            run.view,
            run.trained_on,
            run.protocol,
            repr(sorted(params.items())),
        )
        runs_by_key[key].append(run)
    names = _system_names([runs[0] for runs in runs_by_key.values()])
    return tuple(
        _build_system(benchmark, name, tuple(runs))
        for name, runs in zip(names, runs_by_key.values(), strict=True)
    )


def systems_by_split(systems: Sequence[System]) -> dict[str, list[System]]:
    """Group systems by split."""
    splits: dict[str, list[System]] = defaultdict(list)
    for system in systems:
        splits[system.split].append(system)
    return dict(splits)


def _build_system(benchmark: Benchmark, name: str, runs: tuple[Predictions, ...]) -> System:
    split = runs[0].split
    items = take_split(benchmark, split).splits[split]
    if any(item.answer is None for item in items):
        raise BadInput(benchmark.name, "has no answers to score predictions by", field=split)
    credits = [[expected_credit(run.scores[i.id], i.answer or 0) for i in items] for run in runs]
    return System(split, name, items, runs, np.array(credits))


def _system_names(first_runs: list[Predictions]) -> list[str]:
    """Name systems by model and view, and by whatever else distinguishes them on a split."""
    names = [run.model + _view_suffix(run) for run in first_runs]
    descriptions = (
        lambda run, namesakes: f"trained on {run.trained_on}" if run.trained_on else "",
        lambda run, namesakes: run.protocol,
        _differing_params,
    )
    for describe in descriptions:
        runs_by_name: dict[object, list[Predictions]] = defaultdict(list)
        keys = [(run.split, name) for run, name in zip(first_runs, names, strict=True)]
        for key, run in zip(keys, first_runs, strict=True):
            runs_by_name[key].append(run)
        labels_by_run = [
            (
                describe(run, runs_by_name[key]),
                {describe(other, runs_by_name[key]) for other in runs_by_name[key]},
            )
            for key, run in zip(keys, first_runs, strict=True)
        ]
        names = [
            f"{name}, {label}" if label and len(labels) > 1 else name
            for name, (label, labels) in zip(names, labels_by_run, strict=True)
        ]
    return names


def _view_suffix(run: Predictions) -> str:
    return f", {run.view}" if run.view != FULL else ""


def _differing_params(run: Predictions, namesakes: Sequence[Predictions]) -> str:
    """Format the params in which runs of the same name differ."""
    all_params = [other.params for other in namesakes]
    return ", ".join(
        f"{name}={value}"
        for name, value in run.params.items()
        if name not in PER_RUN_PARAMS and any(name not in p or p[name] != value for p in all_params)
    )
