"""Summaries of runs over their seeds: accuracy with its spread, chance level and sample size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from ..scoring import PlacePreference, compute_metrics, count_mismatches, find_preferred_place
from ..types import Benchmark, Items, Predictions
from ..views import shows_choices
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
    chance: float | None  # None where answers are free, as choices are not shown
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
    way: str | None = None  # how a model behind a server was asked
    self_test: str | None = None  # how many planted questions it answered right
    lacks: tuple[str, ...] = ()  # why it was not asked in a stronger way
    unanswered: dict[str, int] = field(default_factory=dict)  # answers without a choice, by reason
    n_replies: int = 0  # items in all runs
    text_answers: int = 0  # items of which both the first token and the text name a choice
    mismatches: int = 0  # of these, those in which the two differ
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None  # dollars, if the price is known
    served: str = ""  # the name that the server gives the model
    failures: tuple[str, ...] = ()  # why requests failed
    preferred: PlacePreference | None = None  # a place that nearly all answers pick


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
        chance=None if _answers_freely(run, predictions) else by_metric["chance"][0],
        n=int(by_metric["n"][0]),
        tie_rate=fmean(by_metric["tie_rate"]),
        train_accuracy=fmean(by_metric["train_accuracy"]) if by_metric["train_accuracy"] else None,
        files=predictions_pattern(folder, predictions[0].benchmark, run),
        degenerate=sum(degenerate),
        degenerate_seeds=tuple(run.seed for run, bad in zip(runs, degenerate, strict=True) if bad),
        accuracy_without=fmean(sound) if sound else None,
        cut=_int_param(most_truncated, "cut"),
        sequences=_int_param(most_truncated, "sequences"),
        length=_int_param(most_truncated, "length"),
        **_summarize_asking(predictions, items),
    )


def _answers_freely(run: RunSpec, predictions: list[Predictions]) -> bool:
    """Whether a model was asked without being shown choices among which it might guess."""
    return not shows_choices(run.view) and all("way" in outcome.params for outcome in predictions)


def _summarize_asking(predictions: list[Predictions], items: Items) -> dict[str, Any]:
    """Summarise how a model behind a server was asked; empty for other models."""
    ways = {run.params.get("way"): run.params.get("self_test") for run in predictions}
    if None in ways:
        return {}
    reasons = Counter(
        reason for run in predictions for reason in run.unanswered.values() if reason != "not asked"
    )
    mismatches, text_answers = count_mismatches(predictions)
    costs = [cost for run in predictions if isinstance(cost := run.params.get("cost"), float | int)]
    return {
        "way": " and ".join(map(str, ways)),
        "self_test": " and ".join(map(str, ways.values())),
        "lacks": _list_texts(predictions, "lacks"),
        "unanswered": dict(sorted(reasons.items())),
        "n_replies": sum(len(run.scores) for run in predictions) + reasons.total(),
        "text_answers": text_answers,
        "mismatches": mismatches,
        "prompt_tokens": sum(_int_param(run, "prompt_tokens") or 0 for run in predictions),
        "completion_tokens": sum(_int_param(run, "completion_tokens") or 0 for run in predictions),
        "cost": sum(costs) if len(costs) == len(predictions) else None,
        "served": str(predictions[0].params.get("served") or ""),
        "failures": _list_texts(predictions, "failures"),
        "preferred": find_preferred_place(predictions, items),
    }


def _list_texts(predictions: Sequence[Predictions], name: str) -> tuple[str, ...]:
    """Return the different texts of a parameter that is a list."""
    values = [run.params.get(name) for run in predictions]
    texts = [str(text) for value in values if isinstance(value, list | tuple) for text in value]
    return tuple(dict.fromkeys(texts))


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
