"""Blind scores: what models answer without the question, to be explained by the rungs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..._infra.join_names import join_names
from ...benchmarks import take_split
from ...inputs.systems import System, build_systems
from ...inputs.unknown_views import drop_unknown_views
from ...rules.climb import Climb
from ...stats import Floats, mean_interval
from ...types import POOLED, Benchmark, Items, Predictions
from ...views import CHOICES

LADDER = "features of the choices"


@dataclass(frozen=True, slots=True)
class BlindScore:
    """The credit of a blind model for each item."""

    model: str
    credits: Floats

    @property
    def accuracy(self) -> float:
        """The mean credit."""
        return float(self.credits.mean())

    def beats_guessing(self, climb: Climb) -> bool:
        """Tell whether the interval of the accuracy is above chance."""
        return mean_interval(self.credits, climb.groups)[0] > climb.chance


def ladder_score(climb: Climb) -> BlindScore:
    """Return the blind score of the rungs, as many as the training folds chose."""
    return BlindScore(LADDER, climb.blind)


def given_scores(
    benchmark: Benchmark, predictions: Sequence[Predictions], items: Items
) -> tuple[list[BlindScore], tuple[str, ...]]:
    """Return the scores of models that saw only the choices and answered all these items.

    Also returns notes on models that are left out, as they answered only some of the items or
    learnt the answers of some.
    """
    known_runs, notes = drop_unknown_views(predictions)
    runs = [run for run in known_runs if run.view == CHOICES and _has_answers(run, benchmark)]
    learnt: list[Predictions] = []
    fair: list[Predictions] = []
    for run in runs:
        (learnt if _has_learnt_answers(run, benchmark) else fair).append(run)
    by_model: dict[str, list[System]] = defaultdict(list)
    for system in build_systems(benchmark, fair) if fair else ():
        by_model[system.name_without_view].append(system)
    joined = {model: _join(model, systems, items) for model, systems in by_model.items()}
    scores = [score for score in joined.values() if score is not None]
    partial = [model for model, score in joined.items() if score is None]
    if learnt:
        names = join_names([*dict.fromkeys(run.model for run in learnt)])
        notes += (f"Left out, as it was trained on answers that it was then asked for: {names}.",)
    if partial:
        notes += (
            f"Left out, as it did not answer all of these items: {join_names(partial)}; "
            "--split SPLIT looks at the items of one split.",
        )
    return scores, notes


def _has_answers(run: Predictions, benchmark: Benchmark) -> bool:
    """Tell whether there is anything to score: items with answers, and answers of the model."""
    items = take_split(benchmark, run.split).splits[run.split]
    return all(i.answer is not None for i in items) and any(i.id in run.scores for i in items)


def _has_learnt_answers(run: Predictions, benchmark: Benchmark) -> bool:
    """Tell whether a model was trained on answers that it was then asked for."""
    if run.protocol == "cv" or run.trained_on is None:
        return False
    name = run.trained_on.removeprefix(f"{benchmark.name}:")
    try:
        training = benchmark.take_split(POOLED if name == benchmark.name else name)
    except KeyError:  # items of another benchmark
        return False
    learnt = {id(item) for items in training.splits.values() for item in items}
    return any(id(item) in learnt for item in take_split(benchmark, run.split).splits[run.split])


def _join(model: str, systems: Sequence[System], items: Items) -> BlindScore | None:
    """Join the splits of a model; None if it did not answer all of the items."""
    # items of different splits may have the same id, so each is known by itself
    credits = {
        id(item): float(credit)
        for system in systems
        for item, credit in zip(system.items, system.scores, strict=True)
    }
    if any(id(item) not in credits for item in items):
        return None
    return BlindScore(model, np.array([credits[id(item)] for item in items]))
