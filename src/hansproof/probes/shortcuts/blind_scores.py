"""Blind scores: what models answer without the question, to be explained by the rungs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...inputs.systems import System, build_systems
from ...inputs.unknown_views import drop_unknown_views
from ...rules.climb import Climb
from ...stats import Floats
from ...types import Benchmark, Items, Predictions
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


def ladder_score(climb: Climb) -> BlindScore:
    """Return the blind score of the rungs, as many as the training folds chose."""
    return BlindScore(LADDER, climb.blind)


def given_scores(
    benchmark: Benchmark, predictions: Sequence[Predictions], items: Items
) -> list[BlindScore]:
    """Return the scores of models that saw only the choices and answered all these items.

    Runs on the split that a model was trained on are left out: they remember the answers.
    """
    runs, _ = drop_unknown_views(predictions)
    blind_runs = [
        run for run in runs if run.view == CHOICES and not _has_learnt_answers(run, benchmark)
    ]
    by_model: dict[str, list[System]] = defaultdict(list)
    for system in build_systems(benchmark, blind_runs) if blind_runs else ():
        by_model[system.name_without_view].append(system)
    return [score for model, systems in by_model.items() if (score := _join(model, systems, items))]


def _has_learnt_answers(run: Predictions, benchmark: Benchmark) -> bool:
    """Tell whether a model was trained on the very answers that it was then asked for."""
    names = (run.split, f"{benchmark.name}:{run.split}", benchmark.name)
    return run.protocol != "cv" and run.trained_on in names


def _join(model: str, systems: Sequence[System], items: Items) -> BlindScore | None:
    """Join the splits of a model; None if it did not answer all of the items."""
    credits = {
        item.id: float(credit)
        for system in systems
        for item, credit in zip(system.items, system.scores, strict=True)
    }
    if any(item.id not in credits for item in items):
        return None
    return BlindScore(model, np.array([credits[item.id] for item in items]))
