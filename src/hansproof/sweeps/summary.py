"""Many seeds of a run in one row, with the company that a number needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..scoring import compute_metrics
from ..types import Benchmark, Predictions
from .degenerate_runs import find_degenerate
from .plan import RunSpec, split_items
from .run_keys import predictions_pattern


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A model with a view on a split, over its seeds; no accuracies where there are no answers."""

    model: str
    split: str
    view: str
    protocol: str
    trained_on: str | None
    seeds: int
    accuracy: float | None
    sd: float | None  # of a sample: divided by one less than there are seeds
    min: float | None
    max: float | None
    chance: float
    n: int
    tie_rate: float
    train_accuracy: float | None
    files: str  # a pattern
    degenerate: int = 0  # runs that learnt nothing
    degenerate_seeds: tuple[int, ...] = ()
    accuracy_without: float | None = None  # them
    cut: int | None = None  # sequences longer than the limit, in the run with most of them
    sequences: int | None = None
    length: int | None = None  # the limit, in tokens


def summarize_runs(
    benchmark: Benchmark, runs: Sequence[RunSpec], predictions: Sequence[Predictions], folder: str
) -> tuple[RunSummary, ...]:
    """A row for each model, split and view, in the order of their first run."""
    by_system: dict[tuple[str, str, str], list[tuple[RunSpec, Predictions]]] = {}
    for run, run_predictions in zip(runs, predictions, strict=True):
        by_system.setdefault((run.model, run.split, run.view), []).append((run, run_predictions))
    return tuple(
        _summarize_seeds(
            benchmark,
            [run for run, _ in pairs],
            [run_predictions for _, run_predictions in pairs],
            folder,
        )
        for pairs in by_system.values()
    )


def _summarize_seeds(
    benchmark: Benchmark, runs: list[RunSpec], predictions: list[Predictions], folder: str
) -> RunSummary:
    from ..stats import summarize_accuracies

    run = runs[0]
    items = split_items(benchmark, run.split)
    metrics = [compute_metrics(run_predictions, items) for run_predictions in predictions]
    by_metric = {
        name: [float(v) for run_metrics in metrics if (v := run_metrics[name]) is not None]
        for name in metrics[0]
    }
    accuracies = by_metric["accuracy"]
    accuracy_summary: Any = summarize_accuracies(accuracies) if accuracies else None
    degenerate_flags = find_degenerate(benchmark, run, predictions)
    sound_accuracies = [
        accuracy
        for accuracy, is_degenerate in zip(accuracies, degenerate_flags, strict=False)
        if not is_degenerate
    ]
    most_truncated = max(
        predictions, key=lambda run_predictions: _int_param(run_predictions, "cut") or 0
    )
    return RunSummary(
        model=run.model,
        split=run.split,
        view=run.view,
        protocol=run.protocol,
        trained_on=predictions[0].trained_on,
        seeds=len(predictions),
        accuracy=accuracy_summary and accuracy_summary.mean,
        sd=accuracy_summary and accuracy_summary.sd_sample,
        min=accuracy_summary and accuracy_summary.min,
        max=accuracy_summary and accuracy_summary.max,
        chance=by_metric["chance"][0],
        n=len(items),
        tie_rate=fmean(by_metric["tie_rate"]),
        train_accuracy=fmean(by_metric["train_accuracy"]) if by_metric["train_accuracy"] else None,
        files=predictions_pattern(folder, predictions[0].benchmark, run),
        degenerate=sum(degenerate_flags),
        degenerate_seeds=tuple(
            run.seed
            for run, is_degenerate in zip(runs, degenerate_flags, strict=True)
            if is_degenerate
        ),
        accuracy_without=fmean(sound_accuracies) if sound_accuracies else None,
        cut=_int_param(most_truncated, "cut"),
        sequences=_int_param(most_truncated, "sequences"),
        length=_int_param(most_truncated, "length"),
    )


def _int_param(predictions: Predictions, name: str) -> int | None:
    """A number among the parameters of a run."""
    value = predictions.params.get(name)
    return value if isinstance(value, int) else None
