"""Many seeds of a run in one row, with the company that a number needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..types import Benchmark, Predictions
from ._degenerate import degenerate
from ._entries import pattern
from ._measures import measures
from ._plan import Run, part_of


@dataclass(frozen=True, slots=True)
class Row:
    """A model with a view on a split, over its seeds; no accuracies where there are no answers."""

    model: str
    split: str
    view: str
    protocol: str
    trained_on: str | None
    seeds: int
    accuracy: float | None
    sd: float | None  # of a sample: divided by one less than there are seeds
    min: float | None
    max: float | None
    chance: float
    n: int
    tie_rate: float
    train_accuracy: float | None
    files: str  # a pattern
    degenerate: int = 0  # runs that learnt nothing
    degenerate_seeds: tuple[int, ...] = ()
    accuracy_without: float | None = None  # them
    cut: int | None = None  # sequences longer than the limit, in the run with most of them
    sequences: int | None = None
    length: int | None = None  # the limit, in tokens


def rows(
    benchmark: Benchmark, runs: Sequence[Run], said: Sequence[Predictions], folder: str
) -> tuple[Row, ...]:
    """A row for each model, split and view, in the order of their first run."""
    together: dict[tuple[str, str, str], list[tuple[Run, Predictions]]] = {}
    for run, one in zip(runs, said, strict=True):
        together.setdefault((run.model, run.split, run.view), []).append((run, one))
    return tuple(
        _row(benchmark, [run for run, _ in some], [one for _, one in some], folder)
        for some in together.values()
    )


def _row(benchmark: Benchmark, runs: list[Run], said: list[Predictions], folder: str) -> Row:
    from ..stats import summary

    run = runs[0]
    items = part_of(benchmark, run.split)
    found = [measures(one, items) for one in said]
    over = {name: [float(v) for one in found if (v := one[name]) is not None] for name in found[0]}
    accuracies = over["accuracy"]
    earned: Any = summary(accuracies) if accuracies else None
    failed = degenerate(benchmark, run, said)
    sound = [one for one, bad in zip(accuracies, failed, strict=False) if not bad]
    longest = max(said, key=lambda one: _count(one, "cut") or 0)
    return Row(
        model=run.model,
        split=run.split,
        view=run.view,
        protocol=run.protocol,
        trained_on=said[0].trained_on,
        seeds=len(said),
        accuracy=earned and earned.mean,
        sd=earned and earned.sd_sample,
        min=earned and earned.min,
        max=earned and earned.max,
        chance=over["chance"][0],
        n=len(items),
        tie_rate=fmean(over["tie_rate"]),
        train_accuracy=fmean(over["train_accuracy"]) if over["train_accuracy"] else None,
        files=pattern(folder, said[0].benchmark, run),
        degenerate=sum(failed),
        degenerate_seeds=tuple(run.seed for run, bad in zip(runs, failed, strict=True) if bad),
        accuracy_without=fmean(sound) if sound else None,
        cut=_count(longest, "cut"),
        sequences=_count(longest, "sequences"),
        length=_count(longest, "length"),
    )


def _count(run: Predictions, name: str) -> int | None:
    """A number among the parameters of a run."""
    value = run.params.get(name)
    return value if isinstance(value, int) else None
