"""Many seeds of a run in one row, with the company that a number needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..types import Benchmark, Items, Predictions
from ..views import CHOICES, fields_of, named
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


def rows(
    benchmark: Benchmark, runs: Sequence[Run], said: Sequence[Predictions], folder: str
) -> tuple[Row, ...]:
    """A row for each model, split and view, in the order of their first run."""
    together: dict[tuple[str, str, str], list[tuple[Run, Predictions]]] = {}
    for run, one in zip(runs, said, strict=True):
        together.setdefault((run.model, run.split, run.view), []).append((run, one))
    return tuple(
        _row(some[0][0], [one for _, one in some], part_of(benchmark, split), folder)
        for (_, split, _), some in together.items()
    )


def _row(run: Run, said: list[Predictions], items: Items, folder: str) -> Row:
    from ..stats import summary

    found = [measures(one, items) for one in said]
    over: dict[str, Any] = {
        name: summary([float(one[name] or 0) for one in found])
        for name, value in found[0].items()
        if value is not None
    }
    earned, learnt = over.get("accuracy"), over.get("train_accuracy")
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
        chance=over["chance"].mean,
        n=len(items),
        tie_rate=over["tie_rate"].mean,
        train_accuracy=learnt and learnt.mean,
        files=pattern(folder, said[0].benchmark, run),
    )


def notes(benchmark: Benchmark, found: Sequence[Row]) -> tuple[str, ...]:
    """What must be known of views without choices."""
    said = []
    for split, view in dict.fromkeys((row.split, row.view) for row in found):
        items = part_of(benchmark, split)
        if CHOICES not in named(view, fields_of(items)).keep:
            alike = [row for row in found if (row.split, row.view) == (split, view)]
            said.append(_without_choices(f"{view} of {split}", items, alike))
    return tuple(said)


def _without_choices(name: str, items: Items, found: Sequence[Row]) -> str:
    told = [row.model for row in found if row.tie_rate < 1]
    if told:
        return f"{name} shows no choices, yet {', '.join(told)} told them apart: by position alone"
    first = sum(item.answer == 0 for item in items) / len(items)
    return (
        f"{name} shows no choices, so all tie by construction and score 1/m ({found[0].chance:.1%})"
        f"; an argmax would print {first:.1%}, the share of items whose first choice is right"
    )
