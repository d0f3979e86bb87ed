"""Loads the inputs of probes and edits: files and models, by the name of their flag."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..types import Benchmark


def load_inputs(
    benchmark: Benchmark, arguments: Mapping[str, tuple[str, ...]]
) -> dict[str, Sequence[Any]]:
    """Load every input that has arguments, such as `{"predictions": ("runs/*.jsonl",)}`.

    Predictions and ratings are checked against `benchmark`. An input without arguments is absent
    from the result.
    """
    if not any(arguments.values()):
        return {}
    from .. import logs
    from ..contamination.result import read_results
    from .accuracies import read_accuracies
    from .ratings import read_all

    loaders: dict[str, Callable[[tuple[str, ...]], Sequence[Any]]] = {
        "predictions": lambda paths: logs.read(paths, benchmark),
        "accuracies": read_accuracies,
        "ratings": lambda paths: read_all(paths, benchmark),
        "trained": lambda specs: load_models(specs, benchmark),
        "against": lambda specs: load_models(specs, benchmark),
        "scans": read_results,
        "reference": read_results,
    }
    return {name: loaders[name](values) for name, values in arguments.items() if values}


def load_models(specs: tuple[str, ...], benchmark: Benchmark) -> Sequence[Any]:
    """Load trained models; a model that is not saved is trained on `benchmark` first."""
    from ..sweeps import load_trained_models

    return load_trained_models(benchmark, specs)
