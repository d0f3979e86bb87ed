"""Views of models that were run elsewhere: `hansproof predict`, logs, anybody's predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    found = [o for system in systems(benchmark, predictions) if (o := _outcome(system))]
    judged = [at for at, o in enumerate(found) if o.is_blind and o.p is not None]
    q = holm([found[at].p or 1.0 for at in judged])
    corrected = dict(zip(judged, map(float, q), strict=True))
    return [replace(o, q=corrected.get(at)) for at, o in enumerate(found)]


def _outcome(system: System) -> Outcome | None:
    run = system.runs[0]
    view = _view(run.view, system)
    if view is None:
        return None
    together = units(system.items)
    guess = [1 / len(item.choices) for item in system.items]
    p = between_systems(system.scores, guess, together, sided="greater").p
    always = [i.id for i, row in zip(system.items, system.credits.T, strict=True) if row.min() == 1]
    fields = fields_of(system.items)
    limit = bound(view, system.items)
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
