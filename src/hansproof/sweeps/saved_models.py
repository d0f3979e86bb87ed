"""Trained models that are kept: a folder for each, beside the store, named as the run's record."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from typing import Any

from ..capabilities import Saveable, fit_info_of
from ..errors import BadInput, ModelError
from ..types import Predictions
from .plan import RunSpec
from .store import MessageCallback, RunKey

FLAG = "--keep"


def model_folder(folder: str, run_key: RunKey) -> str:
    """The folder of what one run trained."""
    return os.path.join(folder, run_key.file_name.removesuffix(".jsonl"))


def check_saveable(folder: str, runs: Sequence[RunSpec]) -> None:
    """Whether such runs can be kept there: each must train one model."""
    for run in runs:
        if run.protocol != "train-test":
            reason = "trained in folds" if run.protocol == "cv" else "not trained"
            message = (
                f"{run.model} is {reason} here: only what is trained on one split and scored on"
            )
            raise BadInput(FLAG, f"{message} another can be kept")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise BadInput(folder, f"cannot be written: {error.strerror}") from None


def save_each(fitted_models: Iterator[Any], folder: str, run: RunSpec) -> Iterator[Any]:
    """The same models, each saved before it is used: who finds the record finds the weights."""
    for fitted in fitted_models:
        if fit_info_of(fitted).diverged:  # there is nothing to save
            yield fitted
            continue
        if not isinstance(fitted, Saveable):
            message = f"what it trains cannot be saved: leave out {FLAG}"
            raise ModelError(f"{run.model}: {message}")
        try:
            fitted.save(folder)
        except OSError as error:
            raise BadInput(folder, f"cannot be written: {error.strerror or error}") from None
        yield fitted


def note_missing(
    folder: str,
    run_keys: Sequence[RunKey],
    predictions: Sequence[Predictions],
    notify: MessageCallback,
) -> None:
    """Say which runs were finished before, by who did not keep what they trained."""
    unsaved = [
        run_key
        for run_key, run_predictions in zip(run_keys, predictions, strict=True)
        if not os.path.isdir(model_folder(folder, run_key))
        and not math.isnan(
            run_predictions.train_accuracy or 0
        )  # that fell apart, and was not saved
    ]
    if unsaved:
        subject = "a run was" if len(unsaved) == 1 else f"{len(unsaved)} runs were"
        message = f"{subject} in the store before and not trained again: their weights are not here"
        notify(f"{folder}: {message}, such as {os.path.basename(model_folder(folder, unsaved[0]))}")
