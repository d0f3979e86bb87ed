"""Summaries of runs over their seeds: accuracy with its spread, chance level and sample size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from ..scoring import compute_metrics
from ..types import Benchmark, Items, Predictions
from .degenerate_runs import find_degenerate
from .plan import RunSpec, split_items
from .run_keys import predictions_pattern


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A model with a view on a split, over its seeds; accuracies are None without answers."""

    model: str
    split: str
    view: str
    protocol: str
    trained_on: str | None
    seeds: int
    accuracy: float | None
    sd: float | None  # of a sample: divided by n - 1
    min: float | None
    max: float | None
    chance: float
    n: int
    tie_rate: float
    train_accuracy: float | None
    files: str  # a pattern that matches their records
    degenerate: int = 0  # runs that learnt nothing
    degenerate_seeds: tuple[int, ...] = ()
    accuracy_without: float | None = None  # degenerate runs
    cut: int | None = None  # sequences longer than the limit, in the run with the most of them
    sequences: int | None = None
    length: int | None = None  # the limit, in tokens


def summarize_runs(
    benchmark: Benchmark, runs: Sequence[RunSpec], predictions: Sequence[Predictions], folder: str
) -> tuple[RunSummary, ...]:
    """Summarise each combination of model, split and view, in the order of their first run."""
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
    by_metric = _values_by_metric(predictions, items)
    accuracies = by_metric["accuracy"]
    accuracy_summary: Any = summarize_accuracies(accuracies) if accuracies else None
    degenerate = find_degenerate(benchmark, run, predictions)
    sound = [value for value, bad in zip(accuracies, degenerate, strict=False) if not bad]
    most_truncated = max(predictions, key=lambda outcome: _int_param(outcome, "cut") or 0)
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
        degenerate=sum(degenerate),
        degenerate_seeds=tuple(run.seed for run, bad in zip(runs, degenerate, strict=True) if bad),
        accuracy_without=fmean(sound) if sound else None,
        cut=_int_param(most_truncated, "cut"),
        sequences=_int_param(most_truncated, "sequences"),
        length=_int_param(most_truncated, "length"),
    )


def _values_by_metric(predictions: list[Predictions], items: Items) -> dict[str, list[float]]:
    """Collect each metric over the runs for which it is known."""
    metrics = [compute_metrics(run_predictions, items) for run_predictions in predictions]
    return {
        name: [float(value) for run in metrics if (value := run[name]) is not None]
        for name in metrics[0]
    }


def _int_param(predictions: Predictions, name: str) -> int | None:
    """Return a parameter of a run if it is an integer."""
    value = predictions.params.get(name)
    return value if isinstance(value, int) else None
