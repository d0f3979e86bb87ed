"""A run in two steps: its training tasks, and the predictions of the models fitted to them.

The caller trains in between: one task at a time, or the tasks of many runs at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from ..capabilities import AskingContext, Question, Respondent, fit_info_of, needs_selection
from ..choice_orders import count_fixed
from ..errors import BadInput, ModelError
from ..scoring import mean_accuracy
from ..training.splits import hold_out, iter_folds
from ..training.training_task import TrainingTask
from ..types import Benchmark, FitInfo, Items, Params, Predictions, fingerprint
from ..views import Scores, fields_of, parse_view
from .examples import show_examples
from .fit_info import collect_params, model_name
from .plan import RunSpec, split_items
from .viewed_run import ViewedRun

ALONE = AskingContext()  # a run in memory, which shares nothing with others


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
    orders: tuple[ViewedRun, ...] = ()  # the same run with other orders of the choices
    examples: Items = ()  # that a language model is shown first, as the view shows them

    def finish(
        self,
        fitted_models: Iterator[Any],
        version: str,
        context: AskingContext = ALONE,
    ) -> Predictions:
        """Score all items with the fitted models, which come in the order of the tasks.

        Each model is used up before the next is requested, and no more models are requested than
        there are tasks.
        """
        (predictions,) = replace(self, orders=()).finish_orders(fitted_models, version, context)
        return predictions

    def finish_orders(
        self,
        fitted_models: Iterator[Any],
        version: str,
        context: AskingContext = ALONE,
    ) -> Iterator[Predictions]:
        """Yield the predictions of the run, then those of the same models in other orders."""
        runs = (self.viewed, *self.orders)
        if not self.tasks and isinstance(self.model, Respondent):
            for viewed in runs:
                yield self._ask(viewed, version, context)
            return
        # of the whole split: a fold may be too small to borrow fields of other items from
        visible_items = [viewed.visible_items(self.items) for viewed in runs]
        rows: list[dict[int, tuple[float, ...]]] = [{} for _ in runs]
        split_fits: list[_SplitFit] = []
        for split in self.splits:
            fitted = self._next_fitted(fitted_models)
            split_fits.append(self._measure_fit(fitted, split))
            for i, viewed in enumerate(runs):
                rows[i] |= self._score_split(fitted, split, viewed, visible_items[i])
        if not self.tasks:
            for i, viewed in enumerate(runs):
                scores = viewed.score(self.model, self.items, visible_items[i])
                rows[i] = dict(enumerate(scores))
        for viewed, run_rows in zip(runs, rows, strict=True):
            yield self._build_predictions(viewed, run_rows, split_fits, version)

    def _build_predictions(
        self,
        viewed: ViewedRun,
        rows: Mapping[int, tuple[float, ...]],
        split_fits: Sequence[_SplitFit],
        version: str,
    ) -> Predictions:
        fit_infos = [fit.fit_info for fit in split_fits] or [fit_info_of(self.model)]
        train_accuracies = [fit.train_accuracy for fit in split_fits]
        run = viewed.run
        included = [(i, item) for i, item in enumerate(self.items) if viewed.shows(item)]
        return Predictions(
            benchmark=self.benchmark,
            split=run.split,
            sha256=fingerprint(self.items),
            model=model_name(run.model),
            view=run.view,
            scores={item.id: rows[index] for index, item in included},
            seed=run.seed,
            protocol=run.protocol,
            trained_on={"train-test": run.train, "cv": run.split}.get(run.protocol),
            train_accuracy=fmean(train_accuracies) if train_accuracies else None,
            params=collect_params(run, self.model, fit_infos) | self._order_params(viewed),
            tokenizer=fit_infos[0].tokenizer,
            device=fit_infos[0].device,
            version=version,
            unanswered={i.id: "not asked" for i in self.items if not viewed.shows(i)},
            folds=self._number_folds(),
        )

    def _order_params(self, viewed: ViewedRun) -> Params:
        """Return how many items keep their order in a run with another one, and why."""
        if viewed.view.order is None:
            return {}
        counts = count_fixed(self.items)
        return {
            "keep_order_references": counts["references"],
            "keep_order_numbers": counts["numbers"],
        }

    def questions(self) -> list[Question]:
        """Return what the run asks a model that may decline to answer."""
        return self.viewed.make_questions(*self._shown_items(self.viewed))

    def asking_context(self, context: AskingContext) -> AskingContext:
        """Return a context with the seed and the examples of the run."""
        return replace(context, seed=self.viewed.run.seed, examples=self.examples)

    def _shown_items(self, viewed: ViewedRun) -> tuple[Items, list[Items]]:
        """Return the items that a view shows, and what it shows of each."""
        pairs = [
            (item, visible)
            for item, visible in zip(self.items, viewed.visible_items(self.items), strict=True)
            if viewed.shows(item)
        ]
        return tuple(item for item, _ in pairs), [visible for _, visible in pairs]

    def _ask(self, viewed: ViewedRun, version: str, context: AskingContext) -> Predictions:
        """Ask a model that may decline to answer."""
        items, visible_items = self._shown_items(viewed)
        context = self.asking_context(context)
        replies = viewed.ask(self.model, items, visible_items, context)
        by_id = dict(zip([item.id for item in items], replies.items, strict=True))
        answered = {id: reply for id, reply in by_id.items() if reply.no_answer is None}
        empty = self._build_predictions(
            viewed, dict.fromkeys(range(len(self.items)), ()), [], version
        )
        example_params: Params = {"examples_from": viewed.run.train} if self.examples else {}
        return replace(
            empty,
            scores={id: reply.scores for id, reply in answered.items()},
            unanswered={
                item.id: by_id[item.id].no_answer or "error" if item.id in by_id else "not asked"
                for item in self.items
                if item.id not in answered
            },
            text_answers={
                id: reply.text_answer
                for id, reply in by_id.items()
                if reply.text_answer is not None
            },
            params=empty.params | example_params | replies.params,
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

    def _measure_fit(self, fitted: Any, split: _TaskSplit) -> _SplitFit:
        """Score the training items of a split with its fitted model."""
        viewed = self.viewed.published
        train_scores: Scores = viewed.score(fitted, split.train, viewed.visible_items(split.train))
        fit_info = fit_info_of(fitted)
        train_accuracy = math.nan if fit_info.diverged else mean_accuracy(train_scores, split.train)
        return _SplitFit(train_accuracy, fit_info)

    def _score_split(
        self,
        fitted: Any,
        split: _TaskSplit,
        viewed: ViewedRun,
        visible_items: Sequence[Items],
    ) -> dict[int, tuple[float, ...]]:
        """Score the held-out items of a split, by position of the item."""
        scored_items = tuple(self.items[index] for index in split.scored_indices)
        visible = [visible_items[index] for index in split.scored_indices]
        rows = viewed.score(fitted, scored_items, visible)
        return dict(zip(split.scored_indices, rows, strict=True))


@dataclass(frozen=True, slots=True)
class _SplitFit:
    """What a run reports of one fitted model."""

    train_accuracy: float
    fit_info: FitInfo


def prepare_run(
    benchmark: Benchmark, run: RunSpec, model: Any, other_orders: Sequence[RunSpec] = ()
) -> PreparedRun:
    """Prepare the tasks of a run: one, one per fold, or none if the model needs no training.

    `other_orders` are runs that differ from it only by the order of the choices: they share its
    models.
    """
    items = split_items(benchmark, run.split)
    viewed, *orders = (
        ViewedRun(spec, parse_view(spec.view, fields_of(items))) for spec in (run, *other_orders)
    )
    splits = tuple(_SPLITTERS[run.protocol](benchmark, run, model, items))
    tasks = tuple(viewed.make_task(split.train, split.select) for split in splits)
    examples: Items = ()
    if isinstance(model, Respondent):
        examples = show_examples(benchmark, run, model, viewed.view)
    return PreparedRun(benchmark.name, model, items, viewed, splits, tasks, tuple(orders), examples)


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
