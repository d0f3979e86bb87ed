"""Models trained on one benchmark, asked about all: in memory, or kept so that a kill costs little.

Items reach a model as the view shows them, without their answers; it scores the choices that an
item has, and no others.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...credit import credit
from ...errors import BadInput
from ...models import load
from ...predict import Begun, Run, begun, fits, plan, room, sweep, version
from ...predict._entries import entries
from ...predict._keep import weights
from ...progress import counting
from ...stats import Floats
from ...training.threads import one_thread
from ...types import Predictions
from ...views import Scores, fields_of, named
from .sides import Side

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Said:
    """One trained model: what it said of its own benchmark, and what it earns on each item of all.

    By the names of the benchmarks.
    """

    source: str
    run: Run
    own: Predictions
    credits: dict[str, Floats]

    @property
    def learnt(self) -> float | None:
        """Its accuracy where it was trained; none where its numbers broke down."""
        found = self.own.train_accuracy
        return None if found is None or math.isnan(found) else found


def in_memory(
    source: Side, targets: Sequence[Side], spec: str, view: str, seeds: int
) -> Iterator[Said]:
    """Train, as many at once as the model likes; each is asked everything, then forgotten."""
    model, runs = load(spec), _runs(source, spec, view, seeds)
    size = room(model)
    for at in range(0, len(runs), size):
        begins = [begun(source.benchmark, run, model) for run in runs[at : at + size]]
        tasks = [task for one in begins for task in one.tasks]
        with one_thread(), closing(fits(model, tasks)) as fitted:
            for one in begins:
                yield _asked(one, next(fitted), source, targets, view)


def _asked(one: Begun, fitted: Any, source: Side, targets: Sequence[Side], view: str) -> Said:
    own = one.conclude(iter((fitted,)), version())
    earned = {}
    for target in targets:
        if target.name == source.name:
            rows = [own.scores[item.id] for item in target.items]
        else:
            seen = replace(one.seen, view=named(view, fields_of(target.items)))
            rows = seen.score(fitted, target.items, seen.shown(target.items))
        earned[target.name] = _earned(rows, target)
    return Said(source.name, one.seen.run, own, earned)


def kept(
    source: Side, targets: Sequence[Side], spec: str, view: str, seeds: int, folder: str, say: Say
) -> Iterator[Said]:
    """Train what the folder does not hold yet, then apply each model; every score is kept, too."""
    runs, model = _runs(source, spec, view, seeds), load(spec)
    store, models = os.path.join(folder, "runs"), os.path.join(folder, "models")
    with counting(len(runs), f"training on {source.name}") as show:
        own = sweep(source.benchmark, runs, store, progress=show, say=say, keep=models)
    for run, place, said in zip(runs, entries(source.benchmark, runs), own, strict=True):
        earned = {}
        where = _there(weights(models, place), os.path.join(store, place.name), said)
        for target in targets:
            if target.name == source.name:
                found = said
            elif where is None:
                earned[target.name] = target.guess
                continue
            else:
                applied = f"kept:source={where},device={model.device}"
                again = plan(target.benchmark, [applied], [view], [run.seed], split=target.split)
                (found,) = sweep(target.benchmark, again, store, say=say)
            earned[target.name] = _earned([found.scores[i.id] for i in target.items], target)
        yield Said(source.name, run, said, earned)


def _there(folder: str, record: str, said: Predictions) -> str | None:
    """The folder of a kept model; none of one that broke down, which leaves all choices equal."""
    if math.isnan(said.train_accuracy or 0):
        return None
    if not os.path.isdir(folder):
        what = f"the model of a finished run is gone: remove {record} to have it trained again"
        raise BadInput(folder, what)
    return folder


def _runs(source: Side, spec: str, view: str, seeds: int) -> tuple[Run, ...]:
    split = source.split
    return plan(source.benchmark, [spec], [view], range(seeds), "train-test", split)


def _earned(rows: Scores, target: Side) -> Floats:
    each = zip(rows, target.items, strict=True)
    return np.array([credit(row, item.answer or 0) for row, item in each])
