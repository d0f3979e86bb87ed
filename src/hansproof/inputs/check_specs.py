"""Checks which models and files inputs name, before a model runs: that costs no time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..plugins import TEXT_INPUTS
from ..types import Benchmark
from .choice_texts import is_declined


def check_specs(benchmark: Benchmark, values: Mapping[str, Sequence[Any]]) -> None:
    """Raise a HansproofError if a value, by name of the input, names no model that can be used.

    Objects among the values are not checked here.
    """
    for name, check in _CHECKS.items():
        specs = [os.fspath(v) for v in values.get(name, ()) if isinstance(v, str | os.PathLike)]
        is_none = name in TEXT_INPUTS and is_declined(name, specs)
        if specs and not is_none:
            check(benchmark, specs)


def check_model(spec: str) -> None:
    """Raise a HansproofError if there is no such model plug-in, or not the files that it uses."""
    from ..capabilities import material_digests
    from ..models import load

    material_digests(load(spec))


def _check_blind(benchmark: Benchmark, specs: Sequence[str]) -> None:
    from ..sweeps import plan_blind_runs

    plan_blind_runs(benchmark, specs)
    for spec in specs:
        check_model(spec)


def _check_trained(benchmark: Benchmark, names: Sequence[str]) -> None:
    from ..sweeps import expand_model_specs

    for name in names:
        for spec in expand_model_specs(name):
            check_model(spec)


def _check_lm(benchmark: Benchmark, values: Sequence[str]) -> None:
    from .._infra.atomic_io import expand_paths
    from ..pretrained import checkpoint
    from .likelihoods import is_file_pattern
    from .model_specs import build_lm

    for value in values:
        if is_file_pattern(value):
            expand_paths(value)
        else:
            checkpoint.fingerprint(build_lm(value).source)


def _check_encoders(benchmark: Benchmark, values: Sequence[str]) -> None:
    from .model_specs import build_encoder

    for value in values:
        build_encoder(value).fingerprint()


_CHECKS: dict[str, Callable[[Benchmark, Sequence[str]], None]] = {
    "trained": _check_trained,
    "against": _check_trained,
    "blind": _check_blind,
    "lm": _check_lm,
    "encoder": _check_encoders,
}
