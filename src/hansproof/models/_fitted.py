"""A fine-tuned network: what it scores, how it is saved, and opened again."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, get_args

import numpy as np
import torch

from ..errors import ModelError
from ..training.engine import scored
from ..training.packing import Sequences
from ..training.recipes import Inputs, Pooling, Recipe
from ..training.step import Work
from ..types import Items, Shares
from . import _checkpoint, _device, _gradients
from ._families import Opened, Way, opened
from ._families.coder import Text, Tokens

HEAD, ABOUT = "head.safetensors", "hansproof.json"
SEQUENCES = 64  # scored at a time
TOKENS = 1 << 16  # scored at a time by a GPU, which has nothing to do between small batches
STEPS = 32  # of integrated gradients


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """One that never was finite has no weights, and says nothing."""

    open: Opened
    weights: dict[str, torch.Tensor] | None
    place: torch.device
    chosen: dict[str, Any] = field(default_factory=dict)
    trials: tuple[str, ...] = ()
    read: set[Text] = field(default_factory=set)  # all that it has learnt from, or scored

    @property
    def tokenizer(self) -> str:
        return f"{type(self.open.tokenizer).__name__}, at most {self.length} tokens"

    @property
    def sequences(self) -> int:
        """How many it has read."""
        return len(self.read)

    @property
    def cut(self) -> int:
        """How many of these were longer than there is room for."""
        return len(self.read & self.open.coder.cut)

    @property
    def length(self) -> int:
        """The most tokens of a sequence."""
        return self.open.coder.length

    @property
    def diverged(self) -> bool:
        """Whether there is nothing to score with."""
        return self.weights is None

    @property
    def device(self) -> str:
        return _device.describe(self.place)

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """One score per choice; equal sequences are scored once, and tie."""
        if self.weights is None or not items:
            return [(0.0,) * len(item.choices) for item in items]
        coded = self.open.coder.code(items, self.read)
        each = sorted({one for some in coded for one in some}, key=lambda one: (len(one[0]), one))
        weights = _placed(self)
        found: dict[Tokens, float] = {}
        size = SEQUENCES
        if self.place.type == "cuda":
            size = max(size, TOKENS // len(each[-1][0]))
        for at in range(0, len(each), size):
            some = each[at : at + size]
            found.update(zip(some, self._scores(weights, some), strict=True))
        return [tuple(found[one] for one in some) for some in coded]

    def _scores(self, weights: dict[str, torch.Tensor], some: Sequence[Tokens]) -> list[float]:
        table = Sequences.of([list(t) for t, _ in some], [list(k) for _, k in some], self.place)
        net = self.open.family.scorer()
        work = Work(net, table, Recipe(), len(some), 1, self.place, torch.float32)
        rows = np.arange(len(some), dtype=np.int64)[:, None]
        (said,) = scored(work, weights, [rows], len(some[-1][0]))
        return [float(one) for one in said[:, 0]]

    def gradients(
        self, items: Items, method: _gradients.Method = "gradient", steps: int = STEPS
    ) -> list[tuple[Shares, ...]]:
        """How much the score of each choice hangs on each token of what is read."""
        return _gradients.shares(self, items, method, steps)

    def save(self, folder: str) -> None:
        """As a folder of transformers, the head beside it; `kept:FOLDER` scores with it."""
        from safetensors.torch import save_file

        if self.weights is None:
            raise ModelError(f"{folder}: the run broke down, there is nothing to be kept")
        os.makedirs(folder, exist_ok=True)
        own, beyond = self.open.family.state({n: w.cpu() for n, w in self.weights.items()})
        self.open.config.save_pretrained(folder)
        self.open.tokenizer.save_pretrained(folder)
        plain = {name: one.contiguous().clone() for name, one in own.items()}
        save_file(plain, os.path.join(folder, "model.safetensors"), {"format": "pt"})
        plain = {name: one.contiguous() for name, one in beyond.items()}
        save_file(plain, os.path.join(folder, HEAD))
        way = self.open.coder.way
        about = {
            "pooling": self.open.pooling, "inputs": way.inputs, "length": self.open.coder.length,
            "task": way.task, "chosen": self.chosen,
        }  # fmt: skip
        with open(os.path.join(folder, ABOUT), "w", encoding="utf-8") as file:
            json.dump(about, file, indent=1)


@lru_cache(maxsize=1)
def _placed(fitted: Fitted) -> dict[str, torch.Tensor]:
    """The weights as one lane, where they are used; those of the last model stay there."""
    return {name: one[None].to(fitted.place) for name, one in (fitted.weights or {}).items()}


def read(folder: str, device: str = "auto") -> Fitted:
    """One that was saved."""
    from safetensors.torch import load_file

    place = _device.find(device)
    with _checkpoint.readable(folder):
        with open(os.path.join(folder, ABOUT), encoding="utf-8") as file:
            about = json.load(file)
        way, chosen = _way(about), dict(about["chosen"])
        head = load_file(os.path.join(folder, HEAD))
    open_ = opened(folder, _checkpoint.fingerprint(folder), way)
    start = open_.family.scorer().start(0)
    _, beyond = open_.family.state(start)
    if {n: w.shape for n, w in head.items()} != {n: w.shape for n, w in beyond.items()}:
        raise ModelError(f"{folder}: {HEAD} does not belong to the model beside it")
    return Fitted(open_, {**start, **head}, place, chosen)


def _way(about: Any) -> Way:
    """How it reads items, as far as that can be."""
    length = int(about["length"])
    for name, known in (("pooling", get_args(Pooling)), ("inputs", get_args(Inputs))):
        if about[name] not in known:
            raise ValueError(f"{name} is {about[name]!r}, must be {' or '.join(known)}")
    if length < 1:
        raise ValueError(f"length is {length}, must be at least 1")
    return Way(about["pooling"], about["inputs"], length, 0.0, str(about["task"]))
