"""Which runs there are to do: models by splits by views by seeds, and what each is trained on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..benchmarks import take
from ..errors import BadInput
from ..models import load
from ..types import Benchmark, Items, Protocols
from ..views import fields_of, name_of, named

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Run:
    """One model with one view and one seed, the split it is scored on, and how it is trained."""

    model: str  # a name or a file, with parameters: `bow:ngram=1`
    view: str
    split: str  # the one that is scored
    seed: int
    protocol: Protocols
    train: str | None = None
    select: str | None = None  # none: a tenth of what it is trained on, if it selects
    folds: int = 0


def plan(
    benchmark: Benchmark,
    models: Sequence[str],
    views: Sequence[str],
    seeds: Iterable[int],
    protocol: Literal["train-test", "cv"] | None = None,
    split: str | None = None,
    folds: int = FOLDS,
) -> tuple[Run, ...]:
    """Every model with every view and seed, in this order, each run once.

    Without a `split`, the one the benchmark tests on is scored, or, where it has none with answers,
    each that has some. Without a `protocol`, models are trained on the benchmark's training split,
    or, where it has no other than what is scored, on folds. `split` may be any part of the
    benchmark: `dev`, `dev+test`, `pooled`.
    """
    if folds < 2:
        raise BadInput("--folds", f"is {folds}, must be at least 2")
    loaded = {spec: load(spec) for spec in models}
    seeds = tuple(seeds)
    runs = []
    for part in _scored(benchmark, split):
        shown = _views(part_of(benchmark, part), views)
        for spec, model in loaded.items():
            how, train, select = _training(benchmark, part, model, protocol)
            runs += [
                Run(spec, view, part, seed, how, train, select, folds if how == "cv" else 0)
                for view in shown
                for seed in seeds
            ]
    return tuple(dict.fromkeys(runs))


def part_of(benchmark: Benchmark, split: str) -> Items:
    """The items of any part of a benchmark."""
    return take(benchmark, split).splits[split]


def _scored(benchmark: Benchmark, split: str | None) -> tuple[str, ...]:
    labelled = benchmark.labelled()
    if split is not None:
        if not part_of(benchmark, split):
            raise BadInput(benchmark.name, "has no items", field=split)
        return (split,)
    if benchmark.roles.get("test") in labelled:
        return (benchmark.roles["test"],)
    if not labelled:
        raise BadInput(benchmark.name, "no split has answers")
    return tuple(labelled)


def _views(items: Items, views: Sequence[str]) -> tuple[str, ...]:
    """Views by the one name that each has, however they were spelled."""
    fields = fields_of(items)
    return tuple(dict.fromkeys(name_of(named(view, fields), fields) for view in views))


def _training(
    benchmark: Benchmark, part: str, model: Any, protocol: Literal["train-test", "cv"] | None
) -> tuple[Protocols, str | None, str | None]:
    """The protocol, and the splits to train on and to choose parameters by."""
    if not hasattr(model, "fit"):
        return "given", None, None
    train = _apart(benchmark, "train", part)
    if train and protocol != "cv":
        select = _apart(benchmark, "select", part, train) if selects(model) else None
        return "train-test", train, select
    if protocol == "train-test":
        what = "no other split with answers is for training: name another, or use --protocol cv"
        raise BadInput(benchmark.name, what, field=part)
    if any(item.answer is None for item in part_of(benchmark, part)):
        raise BadInput(benchmark.name, "has no answers to learn from in folds", field=part)
    return "cv", None, None


def selects(model: Any) -> bool:
    """Whether a learner chooses among parameters, for which it needs items of their own."""
    return bool(getattr(model, "selects", False))


def _apart(benchmark: Benchmark, role: str, *others: str) -> str | None:
    """The split of a role, if it has answers and no item of it is in the other parts."""
    split = benchmark.roles.get(role, "")
    items = {item.id: item for item in benchmark.labelled().get(split, ())}
    for other in others:
        if any(items.get(item.id) == item for item in part_of(benchmark, other)):
            return None
    return split if items else None
