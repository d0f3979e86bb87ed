"""A run in two halves: what is to be learnt, and what fitted models make of it.

Between the two stands whoever trains: one task at a time, or those of many runs at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..capabilities import fit_info_of, needs_selection
from ..errors import BadInput, ModelError
from ..scoring import mean_accuracy
from ..training.splits import hold_out, iter_folds
from ..training.task import TrainingTask
from ..types import Benchmark, FitInfo, Items, Predictions, fingerprint
from ..views import Scores, fields_of, parse_view
from .fit_info import collect_params, model_name
from .plan import RunSpec, split_items
from .viewed import ViewedRun


@dataclass(frozen=True, slots=True)
class _TaskSplit:
    """Items that one model learns from and chooses by, and where those are that it is to score."""

    train: Items
    select: Items
    scored_indices: Sequence[int]


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run whose tasks are known, and from whose fitted models its predictions follow."""

    benchmark: str
    model: Any
    items: Items  # all that are scored
    viewed: ViewedRun
    splits: tuple[_TaskSplit, ...]  # one for each task
    tasks: tuple[TrainingTask, ...]  # none where there is nothing to train

    def finish(self, fitted_models: Iterator[Any], version: str) -> Predictions:
        """What the run says, by fitted models in the order of the tasks.

        Each is done with before the next is asked for, and none is asked for beyond the tasks.
        """
        # by the whole split: a fold may be too small to lend others' fields
        visible_items = self.viewed.visible_items(self.items)
        if self.tasks:
            split_scores = [
                self._score_split(self._next_fitted(fitted_models), part, visible_items)
                for part in self.splits
            ]
            rows = {index: row for scores in split_scores for index, row in scores.rows.items()}
        else:
            split_scores = []
            rows = dict(enumerate(self.viewed.score(self.model, self.items, visible_items)))
        fit_infos = [scores.fit_info for scores in split_scores] or [fit_info_of(self.model)]
        train_accuracies = [scores.train_accuracy for scores in split_scores]
        run = self.viewed.run
        return Predictions(
            benchmark=self.benchmark,
            split=run.split,
            sha256=fingerprint(self.items),
            model=model_name(run.model),
            view=run.view,
            scores={item.id: rows[index] for index, item in enumerate(self.items)},
            seed=run.seed,
            protocol=run.protocol,
            trained_on={"train-test": run.train, "cv": run.split}.get(run.protocol),
            train_accuracy=fmean(train_accuracies) if train_accuracies else None,
            params=collect_params(run, self.model, fit_infos),
            tokenizer=fit_infos[0].tokenizer,
            device=fit_infos[0].device,
            version=version,
        )

    def _next_fitted(self, fitted_models: Iterator[Any]) -> Any:
        for fitted in fitted_models:
            return fitted
        run = self.viewed.run
        message = "trained fewer models than it was given tasks"
        raise ModelError(f"{run.model}: {message} (view {run.view}, seed {run.seed})")

    def _score_split(
        self, fitted: Any, split: _TaskSplit, visible_items: Sequence[Items]
    ) -> _SplitScores:
        """All that is wanted of a fitted model."""
        score = self.viewed.score
        train_scores: Scores = score(fitted, split.train, self.viewed.visible_items(split.train))
        scored_items = tuple(self.items[index] for index in split.scored_indices)
        rows = score(fitted, scored_items, [visible_items[index] for index in split.scored_indices])
        fit_info = fit_info_of(fitted)
        train_accuracy = math.nan if fit_info.diverged else mean_accuracy(train_scores, split.train)
        return _SplitScores(
            dict(zip(split.scored_indices, rows, strict=True)), train_accuracy, fit_info
        )


@dataclass(frozen=True, slots=True)
class _SplitScores:
    """Scores by position, what it earns where it learnt, and what it tells."""

    rows: dict[int, tuple[float, ...]]
    train_accuracy: float
    fit_info: FitInfo


def prepare_run(benchmark: Benchmark, run: RunSpec, model: Any) -> PreparedRun:
    """A run and its tasks: one, one for each fold, or none."""
    items = split_items(benchmark, run.split)
    viewed = ViewedRun(run, parse_view(run.view, fields_of(items)))
    splits = tuple(_SPLITTERS[run.protocol](benchmark, run, model, items))
    tasks = tuple(viewed.make_task(split.train, split.select) for split in splits)
    return PreparedRun(benchmark.name, model, items, viewed, splits, tasks)


def _without_training(
    benchmark: Benchmark, run: RunSpec, model: Any, items: Items
) -> Iterator[_TaskSplit]:
    yield from ()


def _split_train_test(
    benchmark: Benchmark, run: RunSpec, model: Any, items: Items
) -> Iterator[_TaskSplit]:
    assert run.train is not None
    train: Items = split_items(benchmark, run.train)
    select: Items = ()
    if run.select is not None:
        select = split_items(benchmark, run.select)
    elif needs_selection(model):
        train, select = hold_out(train, run.seed)
    yield _TaskSplit(train, select, range(len(items)))


def _split_folds(
    benchmark: Benchmark, run: RunSpec, model: Any, items: Items
) -> Iterator[_TaskSplit]:
    for train_indices, scored_indices in iter_folds(items, run.folds, run.seed):
        if not train_indices:
            message = "all items belong together, by group or as copies: there are no folds to cut"
            raise BadInput(benchmark.name, message, field=run.split)
        train = tuple(items[index] for index in train_indices)
        train, select = hold_out(train, run.seed) if needs_selection(model) else (train, ())
        yield _TaskSplit(train, select, scored_indices)


_Splitter = Callable[[Benchmark, RunSpec, Any, Items], Iterator[_TaskSplit]]
_SPLITTERS: Mapping[str, _Splitter] = {
    "given": _without_training,
    "train-test": _split_train_test,
    "cv": _split_folds,
}
