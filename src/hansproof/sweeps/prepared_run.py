"""A run in two steps: its training tasks, and the predictions of the models fitted to them.

The caller trains in between: one task at a time, or the tasks of many runs at once.
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
from ..training.training_task import TrainingTask
from ..types import Benchmark, FitInfo, Items, Predictions, fingerprint
from ..views import Scores, fields_of, parse_view
from .fit_info import collect_params, model_name
from .plan import RunSpec, split_items
from .viewed_run import ViewedRun


@dataclass(frozen=True, slots=True)
class _TaskSplit:
    """The items of one training task, and the positions of the items that its model scores."""

    train: Items
    select: Items
    scored_indices: Sequence[int]


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """A run with its training tasks; `finish` turns the fitted models into predictions."""

    benchmark: str
    model: Any
    items: Items  # all items that are scored
    viewed: ViewedRun
    splits: tuple[_TaskSplit, ...]  # one for each task
    tasks: tuple[TrainingTask, ...]  # empty if the model needs no training

    def finish(self, fitted_models: Iterator[Any], version: str) -> Predictions:
        """Score all items with the fitted models, which come in the order of the tasks.

        Each model is used up before the next is requested, and no more models are requested than
        there are tasks.
        """
        # of the whole split: a fold may be too small to borrow fields of other items from
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
            folds=self._number_folds(),
        )

    def _number_folds(self) -> dict[str, int]:
        """Return the fold of each item by its id, in a cross-validation."""
        if self.viewed.run.protocol != "cv":
            return {}
        fold_of = {i: fold for fold, part in enumerate(self.splits) for i in part.scored_indices}
        return {item.id: fold_of[index] for index, item in enumerate(self.items)}

    def _next_fitted(self, fitted_models: Iterator[Any]) -> Any:
        for fitted in fitted_models:
            return fitted
        run = self.viewed.run
        message = "trained fewer models than it was given tasks"
        raise ModelError(f"{run.model}: {message} (view {run.view}, seed {run.seed})")

    def _score_split(
        self, fitted: Any, split: _TaskSplit, visible_items: Sequence[Items]
    ) -> _SplitScores:
        """Score the training items and the held-out items of a split with its fitted model."""
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
    """What one fitted model contributes to a run; `rows` are scores by position of the item."""

    rows: dict[int, tuple[float, ...]]
    train_accuracy: float
    fit_info: FitInfo


def prepare_run(benchmark: Benchmark, run: RunSpec, model: Any) -> PreparedRun:
    """Prepare the tasks of a run: one, one per fold, or none if the model needs no training."""
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
            message = (
                "all items are in one group or copies of each other, so they cannot be divided "
                "into folds"
            )
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
