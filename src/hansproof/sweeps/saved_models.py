"""Trained models that are saved beside the store, each in a folder named like its record."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..capabilities import Saveable, fit_info_of
from ..errors import BadInput, ModelError
from ..types import Predictions
from ..views import without_order
from .plan import RunSpec
from .store import MessageCallback, RunKey

FLAG = "--keep"


def model_folder(folder: str, run_key: RunKey) -> str:
    """Return the folder for the model that a run trained."""
    return os.path.join(folder, run_key.file_name.removesuffix(".jsonl"))


def check_saveable(folder: str, runs: Sequence[RunSpec]) -> None:
    """Raise BadInput unless each run trains exactly one model and the folder can be written."""
    for run in runs:
        if run.protocol != "train-test":
            reason = "trained in folds" if run.protocol == "cv" else "not trained"
            message = "only models trained on one split and scored on another can be saved"
            raise BadInput(FLAG, f"{run.model} is {reason} here: {message}")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise BadInput(folder, f"cannot be written: {error.strerror}") from None


def save_each(fitted_models: Iterator[Any], folder: str, run: RunSpec) -> Iterator[Any]:
    """Save each model before passing it on, so that a run with a record also has its weights."""
    for fitted in fitted_models:
        if fit_info_of(fitted).diverged:  # there is nothing to save
            yield fitted
            continue
        if not isinstance(fitted, Saveable):
            message = f"models of this kind cannot be saved: leave out {FLAG}"
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
    """Report runs that were finished earlier without their models being saved.

    Runs that differ by the order of the choices share a model, which the first of them saves.
    """
    saved_models = {
        _identify_model(run_key)
        for run_key in run_keys
        if os.path.isdir(model_folder(folder, run_key))
    }
    unsaved = [
        run_key
        for run_key, run_predictions in zip(run_keys, predictions, strict=True)
        if _identify_model(run_key) not in saved_models
        and not math.isnan(run_predictions.train_accuracy or 0)  # diverged models are not saved
    ]
    if unsaved:
        subject = "a run was" if len(unsaved) == 1 else f"{len(unsaved)} runs were"
        message = (
            f"{subject} already in the store and not trained again, so the weights are missing here"
        )
        notify(f"{folder}: {message}, such as {os.path.basename(model_folder(folder, unsaved[0]))}")


def _identify_model(run_key: RunKey) -> str:
    """Return a digest of all that decides the model of a run: not the order of the choices."""
    parts = {**run_key.parts, "view": without_order(run_key.parts["view"])}
    return replace(run_key, parts=parts).digest
