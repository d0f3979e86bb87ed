"""Keys of runs in a store: everything that can change a run's scores, and its file name."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from ..models import load
from ..types import Benchmark, Items, fingerprint
from ..views import ASKS_FOR
from .fit_info import is_identity, model_materials, model_name, model_settings
from .plan import RunSpec, split_items
from .store import RunKey, file_stem
from .version import ROOT, code_version


def build_run_keys(benchmark: Benchmark, runs: Sequence[RunSpec]) -> tuple[RunKey, ...]:
    """Build the key of each run."""

    @cache  # many runs share their splits and models
    def describe_split(name: str | None) -> Any:
        if name is None:
            return None
        return {"name": name, **item_digests(split_items(benchmark, name))}

    @cache
    def describe_model(spec: str) -> Any:
        model = load(spec)
        return short_model_name(spec, model), model_identity(spec, model)

    run_keys = []
    for run in runs:
        model_label, identity = describe_model(run.model)
        parts = {
            "benchmark": benchmark.name,
            "scored": describe_split(run.split),
            "train": describe_split(run.train),
            "select": describe_split(run.select),
            "view": run.view,
            "protocol": run.protocol,
            "folds": run.folds,
            "seed": run.seed,
            "version": code_version(),
            **identity,
        }
        stem = file_stem(benchmark.name, model_label, run.split, run.view, str(run.seed))
        run_keys.append(RunKey(stem, parts))
    return tuple(run_keys)


def predictions_pattern(folder: str, benchmark: str, run: RunSpec) -> str:
    """Return a pattern for the files of a run and of its other seeds, for `--predictions`."""
    model_label = short_model_name(run.model, load(run.model))
    return os.path.join(folder, f"{file_stem(benchmark, model_label, run.split, run.view)}.*.jsonl")


def short_model_name(spec: str, model: Any) -> str:
    """Return a model's name, followed by its parameters that differ from their defaults."""
    defaults = {
        field.name: field.default_factory() if callable(field.default_factory) else field.default
        for field in dataclasses.fields(model)
        if is_identity(field)
    }
    changed = [f"{k}-{getattr(model, k)}" for k, v in defaults.items() if getattr(model, k) != v]
    return "-".join([model_name(spec), *changed])


def model_identity(spec: str, model: Any) -> dict[str, Any]:
    """Return everything about a model that can change its scores, except our own code."""
    return {
        "model": model_name(spec),
        "params": model_settings(model),
        "materials": model_materials(model),
        "source": _external_source_digest(model),
    }


def _external_source_digest(model: Any) -> str | None:
    """Return the sha256 of a model's file if it is outside this package, whose version omits it."""
    path = inspect.getsourcefile(type(model)) or ""
    if not path or os.path.realpath(path).startswith(os.path.join(os.path.realpath(ROOT), "")):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def item_digests(items: Items) -> dict[str, str]:
    """Return the fingerprint of items, and a digest of the order and groups that decide folds."""
    ordered_content = [
        [item.id, item.group, item.meta.get(ASKS_FOR), [*item.fields.items()], item.choices]
        for item in items
    ]
    return {
        "sha256": fingerprint(items),
        "order": hashlib.sha256(json.dumps(ordered_content).encode()).hexdigest(),
    }
