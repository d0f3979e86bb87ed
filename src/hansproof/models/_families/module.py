"""A network of transformers as its own module: it knows all words, and has one run at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import torch
from torch.func import functional_call

from .encoder import Weights
from .packed import Restore, Tokens

PREFIX = "module."


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """What the engine wants of a network, and of the family of its checkpoint: both are it."""

    most = 1
    captures = False  # modules look at their data

    module: Any
    pad: int

    def own(self) -> Weights:
        """Its weights as they are."""
        return {f"{PREFIX}{n}": one.detach() for n, one in self.module.named_parameters()}

    def called(self, weights: Weights, asked: dict[str, Any], training: bool) -> Any:
        """What it says with other weights than its own."""
        self.module.train(training)
        own = {n.removeprefix(PREFIX): w[0] for n, w in weights.items() if n.startswith(PREFIX)}
        place = asked["input_ids"].device
        own |= {name: one.to(place) for name, one in self.module.named_buffers()}
        return functional_call(self.module, own, (), asked)

    def decays(self, name: str) -> bool:
        """Whether weight decay is usual for it: not for a bias or a norm, most of them one row."""
        if not name.startswith(PREFIX):
            return not name.endswith(".b")
        one: torch.Tensor = self.module.get_parameter(name.removeprefix(PREFIX))
        return one.dim() > 1 and "bias" not in name

    def activations(self, width: int, count: int, longest: int) -> int:
        return 0  # there is one lane, whatever it takes

    def trimmed(self, tokens: Tokens) -> tuple[Self, Tokens, Restore]:
        """It knows all words."""
        return self, tokens, lambda trained: trained

    def scorer(self) -> Self:
        return self

    def state(self, weights: Weights) -> tuple[Weights, Weights]:
        """The network as transformers would save it, and what is not part of it."""
        own = {n.removeprefix(PREFIX): w for n, w in weights.items() if n.startswith(PREFIX)}
        return own, {n: w for n, w in weights.items() if not n.startswith(PREFIX)}
