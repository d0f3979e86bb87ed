"""Values that the user sets for a log, which take precedence over the log."""

from __future__ import annotations

from dataclasses import dataclass

from ...types import TrainingProtocol


@dataclass(frozen=True, slots=True)
class LogOverrides:
    """Values that replace those of a log; each field is a flag, None keeps the value of the log."""

    model: str | None = None  # name of the model
    view: str | None = None  # what the model saw: full, or the parts joined by +
    split: str | None = None  # the split it ran on; of a log of several splits, only this one
    seed: int | None = None  # the seed it ran with
    trained_on: str | None = None  # what it was trained on
    protocol: TrainingProtocol | None = None  # how training and scoring were kept apart
    first: int | None = None  # the number that stands for the first choice: 0 or 1
    per_char: bool = False  # log-likelihoods by character, as lm-eval's acc_norm has them
