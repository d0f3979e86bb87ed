"""Trained models that are kept: a folder for each, beside the store, named as the run's record."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import BadInput, ModelError
from ..training.store import Entry, Say
from ..types import Predictions
from ._plan import Run

FLAG = "--keep"


def weights(folder: str, place: Entry) -> str:
    """The folder of what one run trained."""
    return os.path.join(folder, place.name.removesuffix(".jsonl"))


def check(folder: str, runs: Sequence[Run]) -> None:
    """Whether such runs can be kept there: each must train one model."""
    for run in runs:
        if run.protocol != "train-test":
            why = "trained in folds" if run.protocol == "cv" else "not trained"
            what = f"{run.model} is {why} here: only what is trained on one split and scored on"
            raise BadInput(FLAG, f"{what} another can be kept")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise BadInput(folder, f"cannot be written: {error.strerror}") from None


def saved(fits: Iterator[Any], folder: str, run: Run) -> Iterator[Any]:
    """The same models, each saved before it is used: who finds the record finds the weights."""
    for fitted in fits:
        if getattr(fitted, "diverged", False):  # there is nothing to save
            yield fitted
            continue
        if not hasattr(fitted, "save"):
            what = f"what it trains cannot be saved: leave out {FLAG}"
            raise ModelError(f"{run.model}: {what}")
        try:
            fitted.save(folder)
        except OSError as error:
            raise BadInput(folder, f"cannot be written: {error.strerror or error}") from None
        yield fitted


def mention(folder: str, places: Sequence[Entry], said: Sequence[Predictions], say: Say) -> None:
    """Say which runs were finished before, by who did not keep what they trained."""
    bare = [
        place
        for place, one in zip(places, said, strict=True)
        if not os.path.isdir(weights(folder, place))
        and not math.isnan(one.train_accuracy or 0)  # that fell apart, and was not saved
    ]
    if bare:
        many = "a run was" if len(bare) == 1 else f"{len(bare)} runs were"
        what = f"{many} in the store before and not trained again: their weights are not here"
        say(f"{folder}: {what}, such as {os.path.basename(weights(folder, bare[0]))}")
