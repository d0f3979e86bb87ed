"""Models that are ready to score: learners are trained on the benchmark first."""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from .._infra.threads import single_threaded
from ..capabilities import Learner
from ..errors import BadInput
from ..models import load
from ..types import FULL, Benchmark
from .fitting import fit_all
from .plan import RunSpec, plan_runs
from .prepared_run import prepare_run
from .run_keys import item_digests, model_identity
from .version import code_version

SAVED_PREFIX = "saved:"
FORMER_PREFIX = "kept:"  # an alias of it
METADATA_FILE = "hansproof.json"  # marks the folder of a saved model
DEPENDENT_PACKAGES = ("attack",)  # packages that store results computed from a model


@dataclass(frozen=True, slots=True, eq=False)
class TrainedModel:
    """A model ready to score."""

    name: str
    model: Any
    key: str  # sha256 over everything that can change its scores or results made of them
    train_ids: frozenset[str] = frozenset()  # ids of the items it was just trained on


def load_trained_models(benchmark: Benchmark, names: Sequence[str]) -> list[TrainedModel]:
    """Load or train the named models, each once, with names short enough to tell them apart."""
    specs = dict.fromkeys(spec for name in names for spec in expand_model_specs(name))
    by_key = {
        (trained_model := load_or_train(benchmark, spec)).key: trained_model for spec in specs
    }
    short_names = _distinct_endings([trained_model.name for trained_model in by_key.values()])
    return [
        replace(trained_model, name=name)
        for trained_model, name in zip(by_key.values(), short_names, strict=True)
    ]


def _distinct_endings(names: Sequence[str]) -> list[str]:
    """Shorten paths to their last parts, as many as are needed to tell them apart."""
    parts = [name.split(os.sep) for name in names]
    for count in range(1, max(map(len, parts), default=1) + 1):
        ends = [os.sep.join(part[-count:]) for part in parts]
        if len(set(ends)) == len(ends):
            return ends
    return list(names)


def expand_model_specs(name: str) -> list[str]:
    """Return the specs that a name stands for.

    A folder of a saved model is `saved:FOLDER`, and a pattern with wildcards all such folders.
    """
    if name.startswith(FORMER_PREFIX):
        name = SAVED_PREFIX + name.removeprefix(FORMER_PREFIX)
    pattern = name.removeprefix(SAVED_PREFIX)
    if glob.has_magic(pattern) and not os.path.exists(pattern):
        folders = [folder for folder in sorted(glob.glob(pattern)) if _is_saved_model(folder)]
        if not folders:
            raise BadInput(name, "no folder of a saved model has this name")
        return [SAVED_PREFIX + folder for folder in folders]
    is_bare_folder = not name.startswith(SAVED_PREFIX) and _is_saved_model(name)
    return [SAVED_PREFIX + name if is_bare_folder else name]


def _is_saved_model(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, METADATA_FILE))


def load_or_train(benchmark: Benchmark, spec: str, seed: int = 0) -> TrainedModel:
    """Load the model of a spec; train it on the benchmark's training split if it learns."""
    model = load(spec)
    parts = {**model_identity(spec, model), "version": code_version(*DEPENDENT_PACKAGES)}
    train_ids: frozenset[str] = frozenset()
    if isinstance(model, Learner):
        run = _training_run(benchmark, spec, seed)
        prepared = prepare_run(benchmark, run, model)
        (task,) = prepared.tasks
        parts |= {"seed": seed, "learnt": [*map(item_digests, (task.items, task.select))]}
        with single_threaded(), closing(fit_all(model, prepared.tasks)) as fitted:
            model = next(fitted)
        train_ids = frozenset(item.id for item in benchmark.splits[run.train or ""])
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    is_saved = spec.startswith(SAVED_PREFIX)
    name = os.path.normpath(spec.removeprefix(SAVED_PREFIX)) if is_saved else spec
    return TrainedModel(name, model, key, train_ids)


def _training_run(benchmark: Benchmark, spec: str, seed: int) -> RunSpec:
    """Plan the run that trains a model; its scored split is not used, only named."""
    labelled, train = benchmark.labelled_splits(), benchmark.roles.get("train")
    if train not in labelled or len(labelled) < 2:
        message = f"has no split to train {spec} on: give a trained model, saved:FOLDER"
        raise BadInput(benchmark.name, message)
    candidates = (benchmark.roles.get("test"), *labelled)
    scored_split = next(split for split in candidates if split in labelled and split != train)
    (run,) = plan_runs(benchmark, [spec], [FULL], [seed], "train-test", scored_split)
    return run
