"""Plan runs: models by splits by views by seeds, and the split that each is trained on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..benchmarks import take_split
from ..capabilities import Learner, Respondent, needs_selection
from ..choice_orders import plan_orders
from ..errors import BadInput
from ..models import load, with_parameter
from ..models.lm import Lm
from ..models.saved import SavedModel
from ..types import POOLED, Benchmark, Items, TrainingProtocol, View
from ..views import CHOICES, fields_of, is_random, is_shown, parse_view, view_name

DEFAULT_FOLDS = 5
BLIND_FOLDS = 3  # each fold is tested by itself: with more folds it has too few items


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One model with one view and one seed, the split it is scored on, and how it is trained."""

    model: str  # a name or a file, with parameters: `bow:ngram=1`
    view: str
    split: str  # the split that is scored
    seed: int
    protocol: TrainingProtocol
    train: str | None = None
    select: str | None = None  # None: a tenth of the training items, if the model selects
    folds: int = 0


def plan_runs(
    benchmark: Benchmark,
    models: Sequence[str],
    views: Sequence[str],
    seeds: Iterable[int],
    protocol: Literal["train-test", "cv"] | None = None,
    split: str | None = None,
    folds: int = DEFAULT_FOLDS,
    orders: str | None = None,
) -> tuple[RunSpec, ...]:
    """Plan every model with every view and seed, in this order, each run once.

    `orders` adds runs with the choices in other orders (`hansproof.choice_orders`). A model that
    replies the same to the same question gets one seed.

    `split` may be any part of the benchmark (`dev`, `dev+test`, `pooled`); by default it is the
    test split, or every labelled split if the test split has no answers. `protocol` is by default
    `train-test` if the benchmark has a training split that shares no item with the scored one, else
    `cv`, with `folds` folds.
    """
    if folds < 2:
        raise BadInput("--folds", f"is {folds}, must be at least 2")
    loaded = {spec: load(spec) for spec in models}
    seeds = tuple(seeds)
    runs = []
    for scored_split in _scored_splits(benchmark, split):
        items = split_items(benchmark, scored_split)
        view_orders = _add_orders(_canonical_views(items, views), items, orders)
        for spec, model in loaded.items():
            run_protocol, train, select = _training_splits(benchmark, scored_split, model, protocol)
            n_folds = folds if run_protocol == "cv" else 0
            runs += [
                RunSpec(spec, view, scored_split, seed, run_protocol, train, select, n_folds)
                for view, names in view_orders.items()
                for seed in _useful_seeds(model, parse_view(view, fields_of(items)), seeds)
                for view in names  # the orders of a run follow each other: they share its models
            ]
    return tuple(dict.fromkeys(runs))


def _useful_seeds(model: Any, view: View, seeds: Sequence[int]) -> Sequence[int]:
    """Return the seeds that make a difference: one, if the model replies the same each time."""
    if not isinstance(model, Respondent) or model.temperature or model.examples or is_random(view):
        return seeds
    return seeds[:1]


def _add_orders(
    view_names: Sequence[str], items: Items, orders: str | None
) -> dict[str, tuple[str, ...]]:
    """Return the names of each view in all orders; only choices that are listed have an order."""
    fields = fields_of(items)
    if orders is None:
        return {name: (name,) for name in view_names}
    choice_orders = plan_orders(orders, items)
    view_orders = {}
    for name in view_names:
        view = parse_view(name, fields)
        has_orders = CHOICES in view.keep and view.side_by_side and view.order is None
        other_orders = choice_orders[1:] if has_orders else ()
        ordered_names = (view_name(replace(view, order=order), fields) for order in other_orders)
        view_orders[name] = (name, *ordered_names)
    return view_orders


def plan_blind_runs(benchmark: Benchmark, models: Sequence[str]) -> tuple[RunSpec, ...]:
    """Plan a run of each model that sees the choices alone, on all items with answers.

    Models that learn are cross-validated. Of a language model, scores are per token by default, as
    choices differ in length.
    """
    labelled = [*benchmark.labelled_splits()]
    if not labelled:
        raise BadInput(benchmark.name, "no split has answers")
    for spec in models:
        if isinstance(load(spec), SavedModel):
            message = "is trained already, perhaps on these items: name a model to be trained here"
            raise BadInput("--blind", f"{spec} {message}")
    split = POOLED if len(labelled) > 1 else labelled[0]
    specs = [
        with_parameter(spec, "score_by", "token") or spec if isinstance(load(spec), Lm) else spec
        for spec in models
    ]
    return plan_runs(benchmark, specs, [CHOICES], [0], "cv", split, BLIND_FOLDS)


def split_items(benchmark: Benchmark, split: str) -> Items:
    """Return the items of any part of a benchmark."""
    return take_split(benchmark, split).splits[split]


def _scored_splits(benchmark: Benchmark, split: str | None) -> tuple[str, ...]:
    labelled = benchmark.labelled_splits()
    if split is not None:
        if not split_items(benchmark, split):
            raise BadInput(benchmark.name, "has no items", field=split)
        return (split,)
    if benchmark.roles.get("test") in labelled:
        return (benchmark.roles["test"],)
    if not labelled:
        raise BadInput(benchmark.name, "no split has answers")
    return tuple(labelled)


def _canonical_views(items: Items, views: Sequence[str]) -> tuple[str, ...]:
    """Return the canonical name of each view, however it was spelled, without duplicates."""
    fields = fields_of(items)
    parsed_views = [parse_view(name, fields) for name in views]
    names = tuple(dict.fromkeys(view_name(view, fields) for view in parsed_views))
    for view in parsed_views:
        if not any(is_shown(view, item) for item in items):
            message = f"{view_name(view, fields)}: no item has so many orders of its choices"
            raise BadInput("--views", message)
    return names


def _training_splits(
    benchmark: Benchmark,
    scored_split: str,
    model: Any,
    protocol: Literal["train-test", "cv"] | None,
) -> tuple[TrainingProtocol, str | None, str | None]:
    """Return the protocol, the split to train on, and the split to choose parameters by."""
    if not isinstance(model, Learner):
        return "given", _examples_split(benchmark, scored_split, model), None
    train = _disjoint_split(benchmark, "train", scored_split)
    if train and protocol != "cv":
        select = (
            _disjoint_split(benchmark, "select", scored_split, train)
            if needs_selection(model)
            else None
        )
        return "train-test", train, select
    if protocol == "train-test":
        message = (
            "no other split with answers can be used for training: choose another split, or "
            "--protocol cv"
        )
        raise BadInput(benchmark.name, message, field=scored_split)
    if any(item.answer is None for item in split_items(benchmark, scored_split)):
        raise BadInput(
            benchmark.name, "has no answers, which cross-validation needs", field=scored_split
        )
    return "cv", None, None


def _examples_split(benchmark: Benchmark, scored_split: str, model: Any) -> str | None:
    """Return the split that examples are drawn from; None if the model is shown none."""
    if not isinstance(model, Respondent) or not model.examples:
        return None
    train = _disjoint_split(benchmark, "train", scored_split)
    if train is None:
        message = "there is no training split to draw examples from: leave out examples="
        raise BadInput(benchmark.name, message, field=scored_split)
    return train


def _disjoint_split(benchmark: Benchmark, role: str, *other_splits: str) -> str | None:
    """Return the split with a role, if it has answers and shares no item with the others."""
    split = benchmark.roles.get(role, "")
    items = {item.id: item for item in benchmark.labelled_splits().get(split, ())}
    for other_split in other_splits:
        if any(items.get(item.id) == item for item in split_items(benchmark, other_split)):
            return None
    return split if items else None
