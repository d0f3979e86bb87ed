"""View results of models that were run elsewhere: from predictions and logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...benchmarks import take_split
from ...errors import UnknownName
from ...inputs.systems import System, build_systems
from ...scoring import chance_credits
from ...stats import holm, paired_randomisation_test
from ...training.leakage_groups import find_leakage_groups
from ...types import Benchmark, Predictions, View
from ...views import fields_of, is_blind, parse_view
from .bounds import score_bound
from .view_result import BOW, ViewResult


def results_from_predictions(
    benchmark: Benchmark, predictions: Sequence[Predictions]
) -> list[ViewResult]:
    """Return a result for every system whose view the benchmark has; blind ones with a q."""
    if not predictions:
        return []
    labelled_runs = [run for run in predictions if _is_labelled(benchmark, run.split)]
    if not labelled_runs:
        return []
    results = [
        result
        for system in build_systems(benchmark, labelled_runs)
        if (result := _view_result(system))
    ]
    judged = [index for index, result in enumerate(results) if _is_judged(result)]
    q = holm([results[index].p or 1.0 for index in judged])
    corrected = dict(zip(judged, map(float, q), strict=True))
    return [replace(result, q=corrected.get(index)) for index, result in enumerate(results)]


def _is_labelled(benchmark: Benchmark, split: str) -> bool:
    return all(i.answer is not None for i in take_split(benchmark, split).splits[split])


def _is_judged(result: ViewResult) -> bool:
    """Whether a result gets a q: not controls, and not what is determined or cross-validated.

    Cross-validated items share rankers, and a p that treats them as independent is too small.
    """
    free = result.is_blind and not result.view.shuffled_fields and result.protocol != "cv"
    return free and result.p is not None


def _view_result(system: System) -> ViewResult | None:
    run = system.runs[0]
    view = _parse_view_or_none(run.view, system)
    if view is None:
        return None
    leakage_units = find_leakage_groups(system.items)
    fold_units = leakage_units if run.protocol == "cv" else None
    guess = chance_credits(system.items)
    p = paired_randomisation_test(system.scores, guess, leakage_units, alternative="greater").p
    always = [i.id for i, row in zip(system.items, system.credits.T, strict=True) if row.min() == 1]
    fields = fields_of(system.items)
    limit = score_bound(view, system.items, fold_units)
    return ViewResult(
        system.split, view, run.view, _model_name(system), run.protocol,
        run.trained_on, system.items, leakage_units, system.credits, system.tie_rate(), limit,
        is_blind(view, fields), None if limit.even else p, surest_ids=tuple(always),
    )  # fmt: skip


def _model_name(system: System) -> str:
    """Return the system's name without its view, distinct from the bag of words trained here."""
    name = system.name_without_view
    return f"{name} (given)" if name == BOW else name


def _parse_view_or_none(name: str, system: System) -> View | None:
    """Return the view of that name, or None if the benchmark does not have it."""
    try:
        return parse_view(name, fields_of(system.items))
    except UnknownName:
        return None
