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

from ..._infra.progress import count_bar
from ..._infra.threads import single_threaded
from ...capabilities import batch_capacity
from ...errors import BadInput
from ...models import load
from ...scoring import expected_credit
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
    """One trained model: what it said of its own benchmark, and what it earns on each item of all.

    By the names of the benchmarks.
    """

    source: str
    run: RunSpec
    own_predictions: Predictions
    credits: dict[str, Floats]

    @property
    def train_accuracy(self) -> float | None:
        """Its accuracy where it was trained; none where its numbers broke down."""
        train_accuracy = self.own_predictions.train_accuracy
        return None if train_accuracy is None or math.isnan(train_accuracy) else train_accuracy


def train_in_memory(
    source: Participant, targets: Sequence[Participant], spec: str, view: str, seeds: int
) -> Iterator[SourceRun]:
    """Train, as many at once as the model likes; each is asked everything, then forgotten."""
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
            rows = [own_predictions.scores[item.id] for item in target.items]
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
    """Train what the folder does not hold yet, then apply each model; every score is kept, too."""
    runs, model = _plan_runs(source, spec, view, seeds), load(spec)
    store, models = os.path.join(folder, "runs"), os.path.join(folder, "models")
    with count_bar(len(runs), f"training on {source.name}") as show:
        own_predictions = run_sweep(
            source.benchmark, runs, store, progress=show, notify=report, models_folder=models
        )
    for run, run_key, predictions in zip(
        runs, build_run_keys(source.benchmark, runs), own_predictions, strict=True
    ):
        credits_by_target = {}
        saved_folder = _saved_model_folder(
            model_folder(models, run_key), os.path.join(store, run_key.file_name), predictions
        )
        for target in targets:
            if target.name == source.name:
                target_predictions = predictions
            elif saved_folder is None:
                credits_by_target[target.name] = target.chance_credits
                continue
            else:
                saved_spec = f"saved:source={saved_folder},device={model.device}"
                target_runs = plan_runs(
                    target.benchmark, [saved_spec], [view], [run.seed], split=target.split
                )
                (target_predictions,) = run_sweep(
                    target.benchmark, target_runs, store, notify=report
                )
            credits_by_target[target.name] = _item_credits(
                [target_predictions.scores[i.id] for i in target.items], target
            )
        yield SourceRun(source.name, run, predictions, credits_by_target)


def _saved_model_folder(folder: str, record: str, predictions: Predictions) -> str | None:
    """The folder of a kept model; none of one that broke down, which leaves all choices equal."""
    if math.isnan(predictions.train_accuracy or 0):
        return None
    if not os.path.isdir(folder):
        message = f"the model of a finished run is gone: remove {record} to have it trained again"
        raise BadInput(folder, message)
    return folder


def _plan_runs(source: Participant, spec: str, view: str, seeds: int) -> tuple[RunSpec, ...]:
    split = source.split
    return plan_runs(source.benchmark, [spec], [view], range(seeds), "train-test", split)


def _item_credits(rows: Scores, target: Participant) -> Floats:
    pairs = zip(rows, target.items, strict=True)
    return np.array([expected_credit(row, item.answer or 0) for row, item in pairs])
