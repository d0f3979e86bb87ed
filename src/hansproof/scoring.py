"""Credit for rows of scores: accuracy with ties counted by expectation, chance, trivial baselines.

An argmax would give every tie to the choice that is listed first, and so reward the position of
the answers. Here a tie among t choices is worth 1/t to each of them, the same as guessing among
them. This module needs numpy alone, so that training can use it anywhere.

To change how ties count, change `expected_credit` and its versions for whole arrays, with which a
test compares it: `linear.ranker.lane_credits`, `edits.aflite.rankers.ChoiceDifferences.item_credit`
and `stats.agreement.majority_credit`; `probes.surface` counts ties among the choices it picks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._infra.plural import plural
from .errors import ModelError
from .types import Benchmark, Estimate, Item, Items, Predictions
from .views import Scores

Floats = NDArray[np.float64]
MIN_PICKS = 20  # answers; of fewer, most may well be at one place
ONE_PLACE = 0.8  # the least share of the answers that pick a place which is said to be preferred
FAR = 0.2  # how much more often that place is picked than right, at least


def expected_credit(scores: Sequence[float], answer: int) -> float:
    """Return 1 if the answer has the highest score, 1/t if it ties with t - 1 others, else 0."""
    best = max(scores)
    return 1 / scores.count(best) if scores[answer] == best else 0.0


def is_tied(scores: Sequence[float]) -> bool:
    """Whether several choices share the highest score."""
    return scores.count(max(scores)) > 1


def mean_accuracy(rows: Sequence[tuple[float, ...]], items: Items) -> float:
    """Return the mean credit of rows of scores, one row per item."""
    item_credits = (
        expected_credit(row, item.answer or 0) for row, item in zip(rows, items, strict=True)
    )
    return math.fsum(item_credits) / len(items)


def chance_credits(items: Sequence[Item]) -> Floats:
    """Return the expected credit of guessing, for each item."""
    return np.array([1 / len(item.choices) for item in items], np.float64)


def chance_level(items: Sequence[Item]) -> float:
    """Return the mean credit of guessing, as probes report it."""
    return float(chance_credits(items).mean())


def chance_accuracy(items: Sequence[Item]) -> float:
    """Return the mean credit of guessing by an exact sum, as runs store it.

    It may differ from `chance_level` in the last bit where items differ in their number of choices.
    """
    return math.fsum(chance_credits(items)) / len(items)


def run_credits(run: Predictions, items: Sequence[Item]) -> Floats:
    """Return the credit of a run for each item: 0 where it has no answer."""
    return np.array(
        [
            expected_credit(run.scores[item.id], item.answer or 0) if item.id in run.scores else 0.0
            for item in items
        ],
        np.float64,
    )


def compute_metrics(predictions: Predictions, items: Items) -> dict[str, float | int | None]:
    """Return accuracy (None without answers), chance, n, tie rate and train accuracy of a run.

    Items that it was not asked are left out.
    """
    unanswered = predictions.unanswered
    items = tuple(item for item in items if unanswered.get(item.id) != "not asked") or items
    rows = [predictions.scores[item.id] for item in items if item.id in predictions.scores]
    labelled = all(item.answer is not None for item in items)
    train_accuracy = predictions.train_accuracy
    return {
        "accuracy": math.fsum(run_credits(predictions, items)) / len(items) if labelled else None,
        "chance": chance_accuracy(items),
        "n": len(items),
        "tie_rate": sum(map(is_tied, rows)) / len(items),
        # JSON cannot represent NaN
        "train_accuracy": None
        if train_accuracy is None or math.isnan(train_accuracy)
        else train_accuracy,
    }


def baseline_credits(benchmark: Benchmark, split: str, items: Items) -> dict[str, Floats]:
    """Return the expected credit of each trivial baseline on each item."""
    label_source = benchmark.splits.get(majority_split(benchmark, split), items)
    return {
        "chance": chance_credits(items),
        "majority": _majority_credits(label_source, items),
        "longest": _longest_credits(items),
    }


def majority_split(benchmark: Benchmark, split: str) -> str:
    """Return the split whose labels are counted: the labelled training split, or else `split`."""
    train = benchmark.roles.get("train", split)
    return train if train in benchmark.labelled_splits() else split


def _majority_credits(label_source: Items, items: Items) -> Floats:
    """Credit of always picking the most frequent label; ties between labels are shared."""
    counts = Counter(item.answer for item in label_source)
    top_labels = [label for label, count in counts.items() if count == max(counts.values())]
    return np.array([(item.answer in top_labels) / len(top_labels) for item in items])


def _longest_credits(items: Items) -> Floats:
    """Credit of picking the choice with the most characters; ties are shared."""
    lengths = [[len(choice.strip()) for choice in item.choices] for item in items]
    return np.array(
        [
            expected_credit(item_lengths, item.answer or 0)
            for item, item_lengths in zip(items, lengths, strict=True)
        ]
    )


def check_scores(scores: Iterable[Any], items: Items, model_name: str, context: str = "") -> Scores:
    """Return a model's scores as rows of floats, which need not be finite.

    Raises ModelError unless there is one row per item and one number per choice.
    """
    try:
        float_rows = [tuple(map(float, row)) for row in scores]
    except (TypeError, ValueError):
        message = "did not return a row of numbers for each item"
        raise ModelError(f"{model_name}: {message}{context}") from None
    if len(float_rows) != len(items):
        message = f"returned {len(float_rows)} rows of scores for {plural(len(items), 'item')}"
        raise ModelError(f"{model_name}: {message}{context}")
    for row, item in zip(float_rows, items, strict=True):
        if len(row) != len(item.choices):
            message = (
                f"returned {plural(len(row), 'score')} for {plural(len(item.choices), 'choice')}"
            )
            raise ModelError(f"{model_name}: {message}{context}")
    return float_rows


def include_chance(estimate: Estimate) -> Estimate:
    """Widen the interval of a number that is not significant, so that it includes chance.

    The interval is of one number; tests are corrected for all that was looked at.
    """
    if estimate.chance is None:
        return estimate
    low = None if estimate.low is None else min(estimate.low, estimate.chance)
    high = None if estimate.high is None else max(estimate.high, estimate.chance)
    return replace(estimate, low=low, high=high)


def best_choices(scores: Sequence[float]) -> tuple[int, ...]:
    """Return the choices with the highest score; none if there are no scores."""
    best = max(scores, default=0.0)
    return tuple(index for index, score in enumerate(scores) if score == best)


@dataclass(frozen=True, slots=True)
class PlacePreference:
    """A place that nearly all answers pick, of items with the same number of choices."""

    place: int
    n_picks: int
    n_answers: int
    n_choices: int


def find_preferred_place(runs: Sequence[Predictions], items: Items) -> PlacePreference | None:
    """Return the place that nearly all answers pick; None if there is none.

    The items with the most common number of choices count. A place that is nearly always right is
    no preference.
    """
    n_choices = Counter(len(item.choices) for item in items).most_common(1)[0][0]
    answers = [
        (best_choices(run.scores[item.id]), item.answer)
        for run in runs
        for item in items
        if item.id in run.scores and len(item.choices) == n_choices
    ]
    picks = Counter(best[0] for best, _ in answers if len(best) == 1)
    if len(answers) < MIN_PICKS or not picks:
        return None
    place, n_picks = picks.most_common(1)[0]
    n_right = sum(answer == place for _, answer in answers)
    if n_picks < ONE_PLACE * len(answers) or n_picks - n_right < FAR * len(answers):
        return None
    return PlacePreference(place, n_picks, len(answers), n_choices)


def count_mismatches(runs: Sequence[Predictions]) -> tuple[int, int]:
    """Count answers whose text names another choice than their scores, and all that can differ."""
    pairs = [
        (best_choices(run.scores[id]), choice)
        for run in runs
        for id, choice in run.text_answers.items()
        if id in run.scores and isinstance(choice, int)
    ]
    return sum(choice not in best for best, choice in pairs), len(pairs)
