"""Models trained on one benchmark and applied to all, in memory or saved to a folder.

Models get items as the view shows them, without answers, and score the choices of each item.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._infra.progress import count_bar
from ..._infra.threads import single_threaded
from ...capabilities import batch_capacity
from ...errors import BadInput
from ...models import load
from ...scoring import expected_credit, run_credits
from ...stats import Floats
from ...sweeps import (
    PreparedRun,
    RunSpec,
    code_version,
    fit_all,
    plan_runs,
    prepare_run,
    run_sweep,
)
from ...sweeps.run_keys import build_run_keys
from ...sweeps.saved_models import model_folder
from ...types import Predictions
from ...views import Scores, fields_of, parse_view
from .roles import Participant

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class SourceRun:
    """A trained model: its predictions at home, and its credits on the items of every benchmark.

    `credits` are by the name of the benchmark.
    """

    source: str
    run: RunSpec
    own_predictions: Predictions
    credits: dict[str, Floats]

    @property
    def train_accuracy(self) -> float | None:
        """The accuracy on the training items; None if training diverged."""
        train_accuracy = self.own_predictions.train_accuracy
        return None if train_accuracy is None or math.isnan(train_accuracy) else train_accuracy


def train_in_memory(
    source: Participant, targets: Sequence[Participant], spec: str, view: str, seeds: int
) -> Iterator[SourceRun]:
    """Train models, several at once if they can; each is applied everywhere, then discarded."""
    model, runs = load(spec), _plan_runs(source, spec, view, seeds)
    size = batch_capacity(model)
    for start in range(0, len(runs), size):
        prepared_runs = [
            prepare_run(source.benchmark, run, model) for run in runs[start : start + size]
        ]
        tasks = [task for prepared_run in prepared_runs for task in prepared_run.tasks]
        with single_threaded(), closing(fit_all(model, tasks)) as fitted:
            for prepared_run in prepared_runs:
                yield _apply_everywhere(prepared_run, next(fitted), source, targets, view)


def _apply_everywhere(
    prepared_run: PreparedRun,
    model: Any,
    source: Participant,
    targets: Sequence[Participant],
    view: str,
) -> SourceRun:
    own_predictions = prepared_run.finish(iter((model,)), code_version())
    credits_by_target = {}
    for target in targets:
        if target.name == source.name:
            credits_by_target[target.name] = run_credits(own_predictions, target.items)
        else:
            viewed = replace(prepared_run.viewed, view=parse_view(view, fields_of(target.items)))
            rows = viewed.score(model, target.items, viewed.visible_items(target.items))
            credits_by_target[target.name] = _item_credits(rows, target)
    return SourceRun(source.name, prepared_run.viewed.run, own_predictions, credits_by_target)


def train_and_save(
    source: Participant,
    targets: Sequence[Participant],
    spec: str,
    view: str,
    seeds: int,
    folder: str,
    report: Report,
) -> Iterator[SourceRun]:
    """Train the models that the folder lacks, and apply each; scores are saved as well."""
    runs, model = _plan_runs(source, spec, view, seeds), load(spec)
    store, models = os.path.join(folder, "runs"), os.path.join(folder, "models")
    with count_bar(len(runs), f"training on {source.name}") as show:
        own_predictions = run_sweep(
            source.benchmark, runs, store, progress=show, notify=report, models_folder=models
        )
    for run, run_key, predictions in zip(
        runs, build_run_keys(source.benchmark, runs), own_predictions, strict=True
    ):
        saved_folder = _saved_model_folder(
            model_folder(models, run_key), os.path.join(store, run_key.file_name), predictions
        )
        credits_by_target = {}
        for target in targets:
            if target.name == source.name:
                target_predictions = predictions
            elif saved_folder is None:
                credits_by_target[target.name] = target.chance_credits
                continue
            else:
                saved_spec = f"saved:source={saved_folder},device={model.device}"
                target_predictions = _apply_saved(saved_spec, target, view, run, store, report)
            credits_by_target[target.name] = run_credits(target_predictions, target.items)
        yield SourceRun(source.name, run, predictions, credits_by_target)


def _apply_saved(
    spec: str, target: Participant, view: str, run: RunSpec, store: str, report: Report
) -> Predictions:
    """Run a saved model on a target, or read its scores from the store."""
    runs = plan_runs(target.benchmark, [spec], [view], [run.seed], split=target.split)
    (predictions,) = run_sweep(target.benchmark, runs, store, notify=report)
    return predictions


def _saved_model_folder(folder: str, record: str, predictions: Predictions) -> str | None:
    """Return the folder of a saved model; None if training diverged, so that all choices tie."""
    if math.isnan(predictions.train_accuracy or 0):
        return None
    if not os.path.isdir(folder):
        message = f"the model of a finished run is missing; delete {record} to train it again"
        raise BadInput(folder, message)
    return folder


def _plan_runs(source: Participant, spec: str, view: str, seeds: int) -> tuple[RunSpec, ...]:
    split = source.split
    return plan_runs(source.benchmark, [spec], [view], range(seeds), "train-test", split)


def _item_credits(rows: Scores, target: Participant) -> Floats:
    pairs = zip(rows, target.items, strict=True)
    return np.array([expected_credit(row, item.answer or 0) for row, item in pairs])
