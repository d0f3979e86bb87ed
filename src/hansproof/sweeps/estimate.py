"""Estimates what models behind servers would take, from the requests that runs would send."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..capabilities import AskingContext, EndpointModel, Question
from ..endpoints.estimate import UNASKED, WayEstimate, estimate_requests, render_first
from ..models import load
from ..types import Benchmark
from ..views import without_order
from .plan import RunSpec
from .prepared_run import prepare_run
from .run_keys import build_run_keys
from .store import RunStore


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What the runs of a model with a view would take at most, if they are asked in one way."""

    model: str
    view: str
    way: str  # of asking; a dash for models that are not asked
    runs: int  # that the store lacks
    requests: int
    prompt_tokens: int
    answer_tokens: int
    cost: float | None


def estimate_runs(
    benchmark: Benchmark, runs: Sequence[RunSpec], folder: str
) -> tuple[RunEstimate, ...]:
    """Estimate each model with each view over its seeds and orders; finished runs take nothing."""
    missing = [*runs]
    if os.path.isdir(folder):
        keys = build_run_keys(benchmark, runs)
        with RunStore(folder) as store:
            missing = [r for r, key in zip(runs, keys, strict=True) if not store.has_record(key)]
    groups: dict[tuple[str, str], list[RunSpec]] = {}
    for run in missing:
        groups.setdefault((run.model, without_order(run.view)), []).append(run)
    estimates = []
    for (spec, view), members in groups.items():
        model = load(spec)
        if not isinstance(model, EndpointModel):
            estimates.append(RunEstimate(spec, view, UNASKED, len(members), 0, 0, 0, None))
            continue
        asked_by_way: dict[str, WayEstimate] = {}
        for run in members:
            way, estimate = _estimate_run(benchmark, run, model)
            asked_by_way[way] = asked_by_way.get(way, WayEstimate()) + estimate
        price = model.token_price
        for way, total in asked_by_way.items():
            tokens = total.prompt_tokens, total.answer_tokens
            cost = None if price is None else price.cost(*tokens)
            estimates.append(
                RunEstimate(spec, view, way, len(members), total.requests, *tokens, cost)
            )
    return tuple(estimates)


@dataclass(frozen=True, slots=True)
class FirstPrompt:
    """The prompt of the first item that a model is asked about with a view."""

    model: str
    view: str
    prompt: str


def first_prompts(benchmark: Benchmark, runs: Sequence[RunSpec]) -> tuple[FirstPrompt, ...]:
    """Return the first prompt of each model that is asked with each view."""
    firsts: dict[tuple[str, str], RunSpec] = {}
    for run in runs:
        firsts.setdefault((run.model, without_order(run.view)), run)
    prompts = []
    for (spec, view), run in firsts.items():
        model = load(spec)
        if isinstance(model, EndpointModel):
            questions, context = _questions(benchmark, run, model)
            prompts.append(FirstPrompt(spec, view, render_first(model, next(questions), context)))
    return tuple(prompts)


def _estimate_run(benchmark: Benchmark, run: RunSpec, model: Any) -> tuple[str, WayEstimate]:
    questions, context = _questions(benchmark, run, model)
    return estimate_requests(model, [*questions], context)


def _questions(
    benchmark: Benchmark, run: RunSpec, model: Any
) -> tuple[Iterator[Question], AskingContext]:
    """Return what a run asks."""
    prepared = prepare_run(benchmark, run, model)
    return iter(prepared.questions()), prepared.asking_context(AskingContext())
