"""Runs that learnt nothing: what they earn where they were trained is not above chance.

How many items a run learnt from is taken as a round share of those it was given: all folds but one,
less the tenth to choose by. Folds keep units together, so it may be a few more or less, which moves
the line by next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..capabilities import needs_selection
from ..models import load
from ..scoring import chance_accuracy
from ..training.splits import HOLD_OUT_DIVISOR
from ..types import Benchmark, Items, Predictions
from ..views import CHOICES, fields_of, parse_view
from .plan import RunSpec, split_items


def find_degenerate(
    benchmark: Benchmark, run: RunSpec, predictions: Sequence[Predictions]
) -> list[bool]:
    """Whether each of these, which differ from the run by seed only, learnt nothing."""
    from ..stats import is_degenerate

    trained_on = predictions[0].trained_on
    if trained_on is None or not _shows_choices(benchmark, run):
        return [False] * len(predictions)
    items = split_items(benchmark, trained_on)
    chance_level = chance_accuracy(items)
    return [
        run_predictions.train_accuracy is not None
        and is_degenerate(
            run_predictions.train_accuracy,
            _training_size(items, run, run_predictions),
            chance_level,
        )
        for run_predictions in predictions
    ]


def _shows_choices(benchmark: Benchmark, run: RunSpec) -> bool:
    """Without them there is nothing to learn, which is not the fault of the run."""
    return CHOICES in parse_view(run.view, fields_of(split_items(benchmark, run.split))).keep


def _training_size(items: Items, run: RunSpec, predictions: Predictions) -> int:
    n = len(items)
    folds = predictions.params.get("folds")
    if run.protocol == "cv" and isinstance(folds, int):
        n -= round(n / folds)
    if run.select is None and needs_selection(load(run.model)):
        n -= round(n / HOLD_OUT_DIVISOR)
    return n
