"""Models that can score: those that learn nothing more, others trained on the benchmark first."""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from ..errors import BadInput
from ..models import load
from ..training.threads import one_thread
from ..types import FULL, Benchmark
from ._begun import begun
from ._entries import about, prints
from ._fits import fits
from ._plan import Run, plan
from ._version import version

KEPT = "kept:"
ABOUT = "hansproof.json"  # what is in the folder of a kept model
USERS = ("attack",)  # who keep what they made of a model


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A model ready to score."""

    name: str
    model: Any
    key: str  # sha256 over all that can change its scores, or what is made of them
    learnt: frozenset[str] = frozenset()  # ids of what it was trained on just now


def all_trained(benchmark: Benchmark, names: Sequence[str]) -> list[Trained]:
    """The models of names, each once; what they are called tells them apart."""
    specs = dict.fromkeys(spec for name in names for spec in specs_of(name))
    every = {(one := trained(benchmark, spec)).key: one for spec in specs}
    called = _apart([one.name for one in every.values()])
    return [replace(one, name=name) for one, name in zip(every.values(), called, strict=True)]


def _apart(names: Sequence[str]) -> list[str]:
    """The ends of paths, of as many parts as it takes."""
    parts = [name.split(os.sep) for name in names]
    for count in range(1, max(map(len, parts), default=1) + 1):
        ends = [os.sep.join(part[-count:]) for part in parts]
        if len(set(ends)) == len(ends):
            return ends
    return list(names)


def specs_of(name: str) -> list[str]:
    """What a name stands for: the folder of a kept model is `kept:FOLDER`; wildcards are all."""
    pattern = name.removeprefix(KEPT)
    if glob.has_magic(pattern) and not os.path.exists(pattern):
        found = [f for f in sorted(glob.glob(pattern)) if _is_kept(f)]
        if not found:
            raise BadInput(name, "there is no folder of a kept model of such a name")
        return [KEPT + folder for folder in found]
    return [KEPT + name] if not name.startswith(KEPT) and _is_kept(name) else [name]


def _is_kept(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, ABOUT))


def trained(benchmark: Benchmark, spec: str, seed: int = 0) -> Trained:
    """The model of a spec; one that learns is trained on the benchmark's training split."""
    model = load(spec)
    parts = {**about(spec, model), "version": version(*USERS)}
    learnt: frozenset[str] = frozenset()
    if hasattr(model, "fit"):
        run = _run(benchmark, spec, seed)
        one = begun(benchmark, run, model)
        (task,) = one.tasks
        parts |= {"seed": seed, "learnt": [*map(prints, (task.items, task.select))]}
        with one_thread(), closing(fits(model, one.tasks)) as fitted:
            model = next(fitted)
        learnt = frozenset(item.id for item in benchmark.splits[run.train or ""])
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    name = os.path.normpath(spec.removeprefix(KEPT)) if spec.startswith(KEPT) else spec
    return Trained(name, model, key, learnt)


def _run(benchmark: Benchmark, spec: str, seed: int) -> Run:
    """Trained on the split for it; scored, for want of a better word, on another."""
    labelled, train = benchmark.labelled(), benchmark.roles.get("train")
    if train not in labelled or len(labelled) < 2:
        what = f"has no split to train {spec} on: name a model that is trained, kept:FOLDER"
        raise BadInput(benchmark.name, what)
    asked = (benchmark.roles.get("test"), *labelled)
    other = next(split for split in asked if split in labelled and split != train)
    (run,) = plan(benchmark, [spec], [FULL], [seed], "train-test", other)
    return run
