"""Views of models that were run elsewhere: `hansproof predict`, logs, anybody's predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...benchmarks import take
from ...errors import UnknownName
from ...stats import between_systems, holm
from ...training.units import units
from ...types import Benchmark, Predictions, View
from ...views import fields_of, is_blind, named
from .._systems import System, systems
from .fixed import bound
from .outcome import BLIND, Outcome


def of_predictions(benchmark: Benchmark, predictions: Sequence[Predictions]) -> list[Outcome]:
    """One outcome for every system, where the benchmark has its view; blind ones corrected."""
    if not predictions:
        return []
    labelled = [run for run in predictions if _labelled(benchmark, run.split)]
    if not labelled:
        return []
    found = [o for system in systems(benchmark, labelled) if (o := _outcome(system))]
    judged = [at for at, o in enumerate(found) if _judged(o)]
    q = holm([found[at].p or 1.0 for at in judged])
    corrected = dict(zip(judged, map(float, q), strict=True))
    return [replace(o, q=corrected.get(at)) for at, o in enumerate(found)]


def _labelled(benchmark: Benchmark, split: str) -> bool:
    return all(i.answer is not None for i in take(benchmark, split).splits[split])


def _judged(outcome: Outcome) -> bool:
    """Not what is fixed, a control, or cross-validated: items then share rankers, and the p, which
    takes them for independent, is too small."""
    free = outcome.is_blind and not outcome.view.donor and outcome.protocol != "cv"
    return free and outcome.p is not None


def _outcome(system: System) -> Outcome | None:
    run = system.runs[0]
    view = _view(run.view, system)
    if view is None:
        return None
    together = units(system.items)
    folded = together if run.protocol == "cv" else None
    guess = [1 / len(item.choices) for item in system.items]
    p = between_systems(system.scores, guess, together, sided="greater").p
    always = [i.id for i, row in zip(system.items, system.credits.T, strict=True) if row.min() == 1]
    fields = fields_of(system.items)
    limit = bound(view, system.items, folded)
    return Outcome(
        system.split, view, run.view, _model(system), run.protocol,
        run.trained_on, system.items, together, system.credits, system.tie_rate(), limit,
        is_blind(view, fields), None if limit.even else p, surest=tuple(always),
    )  # fmt: skip


def _model(system: System) -> str:
    """The system without its view; not to be taken for the bag of words that is trained here."""
    name = system.name.replace(f", {system.runs[0].view}", "", 1)
    return f"{name} (given)" if name == BLIND else name


def _view(name: str, system: System) -> View | None:
    """The view, if it is one of this benchmark's."""
    try:
        return named(name, fields_of(system.items))
    except UnknownName:
        return None
