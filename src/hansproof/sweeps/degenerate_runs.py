"""Runs that learnt nothing: their training accuracy is not above chance.

The number of items that a run learnt from is estimated: all folds but one, less the tenth that is
held out for selection. Folds keep leakage groups together, so the true number may differ by a few
items, which hardly moves the threshold.
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
    """Return whether each seed of a run learnt nothing; `predictions` differ by seed only."""
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
    """Whether the view shows the choices; without them there is nothing to learn."""
    return CHOICES in parse_view(run.view, fields_of(split_items(benchmark, run.split))).keep


def _training_size(items: Items, run: RunSpec, predictions: Predictions) -> int:
    """Estimate how many items a run learnt from."""
    n = len(items)
    folds = predictions.params.get("folds")
    if run.protocol == "cv" and isinstance(folds, int):
        n -= round(n / folds)
    if run.select is None and needs_selection(load(run.model)):
        n -= round(n / HOLD_OUT_DIVISOR)
    return n
