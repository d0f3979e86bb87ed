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
from ..training.store import Entry, stem
from ..types import Benchmark, Items, fingerprint
from ..views import ASKS_FOR
from ._plan import Run, part_of
from ._told import materials, model_name, settings
from ._version import ROOT, version


def entries(benchmark: Benchmark, runs: Sequence[Run]) -> tuple[Entry, ...]:
    """An entry for each run."""
    facts: dict[tuple[str, str], Any] = {}  # what is the same for many runs, found out once

    def split(name: str | None) -> Any:
        if name is not None and ("split", name) not in facts:
            facts["split", name] = {"name": name, **prints(part_of(benchmark, name))}
        return None if name is None else facts["split", name]

    def model(spec: str) -> Any:
        if ("model", spec) not in facts:
            made = load(spec)
            facts["model", spec] = (label(spec, made), about(spec, made))
        return facts["model", spec]

    found = []
    for run in runs:
        named, told = model(run.model)
        parts = {
            "benchmark": benchmark.name,
            "scored": split(run.split),
            "train": split(run.train),
            "select": split(run.select),
            "view": run.view,
            "protocol": run.protocol,
            "folds": run.folds,
            "seed": run.seed,
            "version": version(),
            **told,
        }
        found.append(Entry(stem(benchmark.name, named, run.split, run.view, str(run.seed)), parts))
    return tuple(found)


def pattern(folder: str, benchmark: str, run: Run) -> str:
    """The files of a run and its like with other seeds, for `--predictions`."""
    named = label(run.model, load(run.model))
    return os.path.join(folder, f"{stem(benchmark, named, run.split, run.view)}.*.jsonl")


def label(spec: str, model: Any) -> str:
    """A model's name and what it has set otherwise than usual."""
    usual = {
        field.name: field.default_factory() if callable(field.default_factory) else field.default
        for field in dataclasses.fields(model)
    }
    changed = [f"{k}-{getattr(model, k)}" for k, v in usual.items() if getattr(model, k) != v]
    return "-".join([model_name(spec), *changed])


def about(spec: str, model: Any) -> dict[str, Any]:
    """All of a model that can change its scores, but for our own code."""
    return {
        "model": model_name(spec),
        "params": settings(model),
        "materials": materials(model),
        "source": _source(model),
    }


def _source(model: Any) -> str | None:
    """sha256 of the file of a model that is not of this package, which `version` does not cover."""
    path = inspect.getsourcefile(type(model)) or ""
    if not path or os.path.realpath(path).startswith(os.path.join(os.path.realpath(ROOT), "")):
        return None
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def prints(items: Items) -> dict[str, str]:
    """The fingerprint of items, and one of what that leaves out though folds depend on it."""
    order = [
        [item.id, item.group, item.meta.get(ASKS_FOR), [*item.fields.items()], item.choices]
        for item in items
    ]
    return {
        "sha256": fingerprint(items),
        "order": hashlib.sha256(json.dumps(order).encode()).hexdigest(),
    }
