"""Loads the inputs of probes and edits: files, models and objects, by the name of the input."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from ..errors import BadInput
from ..plugins import TEXT_INPUTS, inputs_of
from ..types import Benchmark, Predictions
from ..views import CHOICES
from .check_benchmark import check_benchmark
from .choice_texts import is_declined
from .distinct_models import distinct_models


def load_inputs(benchmark: Benchmark, arguments: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    """Load every input that has arguments, such as `{"predictions": "runs/*.jsonl"}`.

    An argument is a path, a wildcard, an object that was loaded before, or a list of these.
    Predictions and ratings are checked against `benchmark`. An input without arguments is absent
    from the result; one that is declined, as `"none"`, is empty. Models that are to be run are all
    checked before the first one runs.
    """
    from .check_specs import check_specs

    values = _drop_declined(arguments)
    check_specs(benchmark, values)
    return {
        name: _load_input(name, values[name], benchmark) if name in values else []
        for name, argument in arguments.items()
        if as_list(argument)
    }


def given_names(arguments: Mapping[str, Any]) -> list[str]:
    """Name the inputs that have arguments and are not declined."""
    return [*_drop_declined(arguments)]


def _drop_declined(arguments: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the values of each input that has some, without likelihoods and vectors as `none`."""
    values = {name: as_list(argument) for name, argument in arguments.items()}
    return {
        name: input_values
        for name, input_values in values.items()
        if input_values and not (name in TEXT_INPUTS and is_declined(name, input_values))
    }


def find_cached_inputs(
    benchmark: Benchmark, probes: Iterable[Any], loaded: Collection[str]
) -> dict[str, Sequence[Any]]:
    """Find inputs in the cache that some probe uses, that cover the benchmark and were not loaded.

    These are likelihoods and vectors of choices, which earlier audits computed.
    """
    from .choice_vectors import find_cached_vectors
    from .likelihoods import find_cached_likelihoods

    finders: dict[str, Callable[[Benchmark], Sequence[Any]]] = {
        "lm": find_cached_likelihoods,
        "encoder": find_cached_vectors,
    }
    used = {name for probe in probes for name in inputs_of(probe)} - {*loaded}
    cached = {name: find(benchmark) for name, find in finders.items() if name in used}
    return {name: values for name, values in cached.items() if values}


def as_list(argument: Any) -> list[Any]:
    """Return the elements of a list or tuple; of anything else, a list with that one element."""
    if argument is None:
        return []
    return list(argument) if isinstance(argument, list | tuple) else [argument]


def _load_input(name: str, values: Sequence[Any], benchmark: Benchmark) -> Sequence[Any]:
    """Load the files among the values, and check the objects among them."""
    paths = tuple(os.fspath(v) for v in values if isinstance(v, str | os.PathLike))
    objects = [v for v in values if not isinstance(v, str | os.PathLike)]
    loaded = _LOADERS[name](paths, benchmark) if paths else ()
    joined = [*loaded, *_check_objects(name, objects, benchmark)]
    return distinct_models(joined) if name in TEXT_INPUTS else joined


def _read_predictions(paths: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    from .. import logs

    return logs.read_runs(paths, benchmark)


def _run_blind_models(specs: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    """Run models on the choices alone; what they answer is not saved."""
    from ..sweeps import plan_blind_runs, predict

    return [predict(benchmark, run) for run in plan_blind_runs(benchmark, specs)]


def _read_accuracies(paths: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    from .accuracies import read_accuracies

    return read_accuracies(paths)


def _read_ratings(paths: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    from .ratings import read_all

    return read_all(paths, benchmark)


def _load_models(specs: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    """Load trained models; a model that is not saved is trained on `benchmark` first."""
    from ..sweeps import load_trained_models

    return load_trained_models(benchmark, specs)


def _read_scans(paths: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    from ..contamination.result import read_results

    return read_results(paths)


def _load_others(specs: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    from ..benchmarks import load

    return [*map(load, specs)]


def _load_likelihoods(values: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    from .likelihoods import load_likelihoods

    return load_likelihoods(values, benchmark)


def _load_vectors(values: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    from .choice_vectors import load_vectors

    return load_vectors(values, benchmark)


_LOADERS: dict[str, Callable[[tuple[str, ...], Benchmark], Sequence[Any]]] = {
    "predictions": _read_predictions,
    "blind": _run_blind_models,
    "accuracies": _read_accuracies,
    "ratings": _read_ratings,
    "trained": _load_models,
    "against": _load_models,
    "scans": _read_scans,
    "reference": _read_scans,
    "others": _load_others,
    "lm": _load_likelihoods,
    "encoder": _load_vectors,
}
INPUT_NAMES = tuple(_LOADERS)


def _check_objects(name: str, objects: Sequence[Any], benchmark: Benchmark) -> list[Any]:
    """Check the types of objects; give results of scans a name, which files have already."""
    if not objects:
        return []
    expected = _object_type(name)
    for value in objects:
        if not isinstance(value, expected):
            message = f"is of type {type(value).__name__}, must be a path or {expected.__name__}"
            raise BadInput(f"--{name}", message)
    if name == "blind":
        _require_blind(objects)
    if expected is Predictions:
        return [_check_run(run, benchmark) for run in objects]
    if name == "others":
        return [*map(check_benchmark, objects)]
    if name in TEXT_INPUTS:
        require_choices = import_module(expected.__module__).require_choices
        return [require_choices(value, benchmark) for value in objects]
    if name in ("scans", "reference"):
        return [(f"{name} {i}", scan) for i, scan in enumerate(objects, 1)]
    return [*objects]


def _object_type(name: str) -> type:
    if name in ("predictions", "blind"):
        return Predictions
    if name == "others":
        return Benchmark
    module, type_name = {
        "accuracies": ("inputs.accuracies", "SeedAccuracy"),
        "ratings": ("inputs.ratings", "Ratings"),
        "trained": ("sweeps", "TrainedModel"),
        "against": ("sweeps", "TrainedModel"),
        "scans": ("contamination.result", "ScanResult"),
        "reference": ("contamination.result", "ScanResult"),
        "lm": ("inputs.likelihoods", "ChoiceLikelihoods"),
        "encoder": ("inputs.choice_vectors", "ChoiceVectors"),
    }[name]
    expected: type = getattr(import_module(f"hansproof.{module}"), type_name)
    return expected


def _require_blind(runs: Sequence[Predictions]) -> None:
    """Raise BadInput if a model saw more, or less, than the choices."""
    for run in runs:
        if run.view != CHOICES:
            message = f"predictions of {run.model} have the view {run.view!r:.60}, not {CHOICES}"
            raise BadInput("--blind", f"{message}: give them as --predictions")


def _check_run(run: Predictions, benchmark: Benchmark) -> Predictions:
    """Check that a run has a valid outcome for every item of a split of the benchmark."""
    from ..predictions import BenchmarkSplits, check_answers, require_complete

    label = f"predictions of {run.model}"
    splits = BenchmarkSplits(benchmark)
    split, items = splits.find_split(run.split, run.sha256, label, run.benchmark)
    return require_complete(check_answers(replace(run, split=split), items, label), items, label)
