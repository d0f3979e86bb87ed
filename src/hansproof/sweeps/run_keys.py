"""The place of a run in a store: all that can change its scores, and the name of its file."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import os
from collections.abc import Sequence
from typing import Any

from ..models import load
from ..types import Benchmark, Items, fingerprint
from ..views import ASKS_FOR
from .fit_info import model_materials, model_name, model_settings
from .plan import RunSpec, split_items
from .store import RunKey, file_stem
from .version import ROOT, code_version


def build_run_keys(benchmark: Benchmark, runs: Sequence[RunSpec]) -> tuple[RunKey, ...]:
    """An entry for each run."""
    descriptions: dict[tuple[str, str], Any] = {}  # what is the same for many runs, found out once

    def describe_split(name: str | None) -> Any:
        if name is not None and ("split", name) not in descriptions:
            descriptions["split", name] = {
                "name": name,
                **item_digests(split_items(benchmark, name)),
            }
        return None if name is None else descriptions["split", name]

    def describe_model(spec: str) -> Any:
        if ("model", spec) not in descriptions:
            loaded_model = load(spec)
            descriptions["model", spec] = (
                short_model_name(spec, loaded_model),
                model_identity(spec, loaded_model),
            )
        return descriptions["model", spec]

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
        run_keys.append(
            RunKey(
                file_stem(benchmark.name, model_label, run.split, run.view, str(run.seed)), parts
            )
        )
    return tuple(run_keys)


def predictions_pattern(folder: str, benchmark: str, run: RunSpec) -> str:
    """The files of a run and its like with other seeds, for `--predictions`."""
    model_label = short_model_name(run.model, load(run.model))
    return os.path.join(folder, f"{file_stem(benchmark, model_label, run.split, run.view)}.*.jsonl")


def short_model_name(spec: str, model: Any) -> str:
    """A model's name and what it has set otherwise than usual."""
    defaults = {
        field.name: field.default_factory() if callable(field.default_factory) else field.default
        for field in dataclasses.fields(model)
    }
    changed = [f"{k}-{getattr(model, k)}" for k, v in defaults.items() if getattr(model, k) != v]
    return "-".join([model_name(spec), *changed])


def model_identity(spec: str, model: Any) -> dict[str, Any]:
    """All of a model that can change its scores, but for our own code."""
    return {
        "model": model_name(spec),
        "params": model_settings(model),
        "materials": model_materials(model),
        "source": _external_source_digest(model),
    }


def _external_source_digest(model: Any) -> str | None:
    """sha256 of the file of a model that is not of this package, which `version` does not cover."""
    path = inspect.getsourcefile(type(model)) or ""
    if not path or os.path.realpath(path).startswith(os.path.join(os.path.realpath(ROOT), "")):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def item_digests(items: Items) -> dict[str, str]:
    """The fingerprint of items, and one of what that leaves out though folds depend on it."""
    ordered_content = [
        [item.id, item.group, item.meta.get(ASKS_FOR), [*item.fields.items()], item.choices]
        for item in items
    ]
    return {
        "sha256": fingerprint(items),
        "order": hashlib.sha256(json.dumps(ordered_content).encode()).hexdigest(),
    }
