"""The benchmark that predictions name, for commands that are not told which one it is."""

from __future__ import annotations

import os

from .. import plugins
from .._infra.atomic_io import expand_paths
from ..errors import BadInput
from ..logs import split_label
from ..predictions import read_benchmark_name
from ..types import Predictions


def find_benchmark_name(predictions: str | os.PathLike[str] | Predictions) -> str:
    """Return the benchmark of a run, or of the first file of a pattern; it must be a known one."""
    if isinstance(predictions, Predictions):
        label, name = f"predictions of {predictions.model}", predictions.benchmark
    elif isinstance(predictions, str | os.PathLike):
        label = os.fspath(predictions)
        name = _read_first_name(label)
    else:
        kind = type(predictions).__name__
        raise BadInput("--predictions", f"is of type {kind}, must be a path or Predictions")
    if name not in plugins.names("benchmarks"):
        raise BadInput(label, "does not name a known benchmark: name it with --bench")
    return name


def _read_first_name(pattern: str) -> str:
    first_path = expand_paths(split_label(pattern)[1])[0]
    try:
        return read_benchmark_name(first_path)
    except BadInput:
        return ""
