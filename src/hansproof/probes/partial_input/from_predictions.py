"""View results of models that were run elsewhere: from predictions and logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...benchmarks import take_split
from ...errors import UnknownName
from ...inputs.systems import System, answered_ids, build_systems, is_asked
from ...inputs.unknown_views import drop_unknown_views
from ...scoring import chance_credits
from ...stats import holm, paired_randomisation_test
from ...training.leakage_groups import find_leakage_groups
from ...types import Benchmark, Predictions, View
from ...views import fields_of, is_blind, parse_view
from .._answer_notes import write_missing_notes
from .bounds import NO_BOUND, score_bound
from .fold_tests import compare_folds
from .view_result import BOW, ViewResult


def results_from_predictions(
    benchmark: Benchmark, predictions: Sequence[Predictions]
) -> tuple[list[ViewResult], tuple[str, ...]]:
    """Return a result for every system whose view the benchmark has; blind ones with a q.

    Also returns notes on runs that were left out, and on missing answers.
    """
    known_runs, unknown_notes = drop_unknown_views(predictions)
    labelled_runs = [run for run in known_runs if _is_labelled(benchmark, run.split)]
    systems = build_systems(benchmark, labelled_runs) if labelled_runs else ()
    results = [result for system in systems if (result := _view_result(system))]
    notes = (*unknown_notes, *write_missing_notes(systems))
    # only what is tested has a p, which may be 0 by rounding
    p_values = {i: r.p for i, r in enumerate(results) if _is_judged(r) and r.p is not None}
    q = holm([*p_values.values()])
    corrected = dict(zip(p_values, map(float, q), strict=True))
    return [replace(result, q=corrected.get(i)) for i, result in enumerate(results)], notes


def _is_labelled(benchmark: Benchmark, split: str) -> bool:
    return all(i.answer is not None for i in take_split(benchmark, split).splits[split])


def _is_judged(result: ViewResult) -> bool:
    """Whether a result gets a q: not controls, and not what is determined.

    Cross-validated items share rankers, so without their folds no p is small enough to be safe.
    """
    is_tested = result.protocol != "cv" or bool(result.fold_sizes)
    return result.is_blind and not result.view.shuffled_fields and is_tested


def _view_result(system: System) -> ViewResult | None:
    run = system.runs[0]
    view = _parse_view_or_none(run.view, system)
    if view is None:
        return None
    leakage_units = find_leakage_groups(system.items)
    fold_units = leakage_units if run.protocol == "cv" else None
    fold_test = compare_folds(system, leakage_units) if fold_units else None
    p = fold_test.p if fold_test else _p_over_all_items(system, leakage_units)
    always = [i.id for i, row in zip(system.items, system.credits.T, strict=True) if row.min() == 1]
    fields = fields_of(system.items)
    limit = NO_BOUND if _sees_places(run) else score_bound(view, system.items, fold_units)
    return ViewResult(
        system.split, view, run.view, _model_name(system), run.protocol,
        run.trained_on, system.items, leakage_units, system.credits, system.tie_rate(), limit,
        is_blind(view, fields), None if limit.even else p, surest_ids=tuple(always),
        answered_ids=answered_ids(system), fold_sizes=fold_test.sizes if fold_test else (),
    )  # fmt: skip


def _sees_places(run: Predictions) -> bool:
    """Whether a model was shown the choices as a list, or answered freely.

    Items that look the same may then get other answers: places differ, and so do texts.
    """
    return is_asked(run) or run.params.get("score_by") == "letters"


def _p_over_all_items(system: System, units: list[str]) -> float:
    guess = chance_credits(system.items)
    return paired_randomisation_test(system.scores, guess, units, alternative="greater").p


def _model_name(system: System) -> str:
    """Return the system's name without its view, distinct from the bag of words trained here."""
    name = system.name_without_view
    return f"{name} (predictions)" if name == BOW else name


def _parse_view_or_none(name: str, system: System) -> View | None:
    """Return the view of that name, or None if the benchmark does not have it."""
    try:
        return parse_view(name, fields_of(system.items))
    except UnknownName:
        return None
