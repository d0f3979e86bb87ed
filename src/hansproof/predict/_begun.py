"""A run in two halves: what is to be learnt, and what fitted models make of it.

Between the two stands whoever trains: one task at a time, or those of many runs at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..errors import BadInput, ModelError
from ..training.held_out import folds, tenth
from ..training.task import Task
from ..types import Benchmark, Items, Predictions, fingerprint
from ..views import Scores, fields_of, named
from ._measures import accuracy
from ._plan import Run, part_of, selects
from ._seen import Seen
from ._told import Told, model_name, params, told


@dataclass(frozen=True, slots=True)
class _Part:
    """Items that one model learns from and chooses by, and where those are that it is to score."""

    learnt: Items
    select: Items
    scored: Sequence[int]


@dataclass(frozen=True, slots=True)
class Begun:
    """A run whose tasks are known, and from whose fitted models its predictions follow."""

    benchmark: str
    model: Any
    items: Items  # all that are scored
    seen: Seen
    parts: tuple[_Part, ...]  # one for each task
    tasks: tuple[Task, ...]  # none where there is nothing to train

    def conclude(self, fits: Iterator[Any], version: str) -> Predictions:
        """What the run says, by fitted models in the order of the tasks.

        Each is done with before the next is asked for, and none is asked for beyond the tasks.
        """
        # by the whole split: a fold may be too small to lend others' fields
        shown = self.seen.shown(self.items)
        if self.tasks:
            asked = [self._asked(self._next(fits), part, shown) for part in self.parts]
            rows = {at: row for one in asked for at, row in one.rows.items()}
        else:
            asked = []
            rows = dict(enumerate(self.seen.score(self.model, self.items, shown)))
        said = [one.told for one in asked] or [told(self.model)]
        earned = [one.earned for one in asked]
        run = self.seen.run
        return Predictions(
            benchmark=self.benchmark,
            split=run.split,
            sha256=fingerprint(self.items),
            model=model_name(run.model),
            view=run.view,
            scores={item.id: rows[at] for at, item in enumerate(self.items)},
            seed=run.seed,
            protocol=run.protocol,
            trained_on={"train-test": run.train, "cv": run.split}.get(run.protocol),
            train_accuracy=fmean(earned) if earned else None,
            params=params(run, self.model, said),
            tokenizer=said[0].tokenizer,
            device=said[0].device,
            version=version,
        )

    def _next(self, fits: Iterator[Any]) -> Any:
        for fitted in fits:
            return fitted
        run = self.seen.run
        what = "trained fewer models than it was given tasks"
        raise ModelError(f"{run.model}: {what} (view {run.view}, seed {run.seed})")

    def _asked(self, fitted: Any, part: _Part, shown: Sequence[Items]) -> _Answered:
        """All that is wanted of a fitted model."""
        score = self.seen.score
        learnt: Scores = score(fitted, part.learnt, self.seen.shown(part.learnt))
        held = tuple(self.items[at] for at in part.scored)
        rows = score(fitted, held, [shown[at] for at in part.scored])
        said = told(fitted)
        earned = math.nan if said.diverged else accuracy(learnt, part.learnt)
        return _Answered(dict(zip(part.scored, rows, strict=True)), earned, said)


@dataclass(frozen=True, slots=True)
class _Answered:
    """Scores by position, what it earns where it learnt, and what it tells."""

    rows: dict[int, tuple[float, ...]]
    earned: float
    told: Told


def begun(benchmark: Benchmark, run: Run, model: Any) -> Begun:
    """A run and its tasks: one, one for each fold, or none."""
    items = part_of(benchmark, run.split)
    seen = Seen(run, named(run.view, fields_of(items)))
    parts = tuple(_WAYS[run.protocol](benchmark, run, model, items))
    tasks = tuple(seen.task(part.learnt, part.select) for part in parts)
    return Begun(benchmark.name, model, items, seen, parts, tasks)


def _given(benchmark: Benchmark, run: Run, model: Any, items: Items) -> Iterator[_Part]:
    yield from ()


def _train_test(benchmark: Benchmark, run: Run, model: Any, items: Items) -> Iterator[_Part]:
    assert run.train is not None
    learnt: Items = part_of(benchmark, run.train)
    select: Items = ()
    if run.select is not None:
        select = part_of(benchmark, run.select)
    elif selects(model):
        learnt, select = tenth(learnt, run.seed)
    yield _Part(learnt, select, range(len(items)))


def _cv(benchmark: Benchmark, run: Run, model: Any, items: Items) -> Iterator[_Part]:
    for learning, scored in folds(items, run.folds, run.seed):
        if not learning:
            what = "all items belong together, by group or as copies: there are no folds to cut"
            raise BadInput(benchmark.name, what, field=run.split)
        learnt = tuple(items[at] for at in learning)
        learnt, select = tenth(learnt, run.seed) if selects(model) else (learnt, ())
        yield _Part(learnt, select, scored)


_Way = Callable[[Benchmark, Run, Any, Items], Iterator[_Part]]
_WAYS: Mapping[str, _Way] = {"given": _given, "train-test": _train_test, "cv": _cv}
