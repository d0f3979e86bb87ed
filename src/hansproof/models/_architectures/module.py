"""A network of transformers as its own module: it knows all words, and has one run at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import torch
from torch.func import functional_call

from .architecture import Restore, TokenLists
from .encoder import Weights

PREFIX = "module."


@dataclass(frozen=True, slots=True, eq=False)
class ModuleArchitecture:
    """What the engine wants of a network, and of the family of its checkpoint: both are it."""

    max_lanes = 1
    captures = False  # modules look at their data

    module: Any
    pad: int

    def pretrained_weights(self) -> Weights:
        """Its weights as they are."""
        return {f"{PREFIX}{n}": weight.detach() for n, weight in self.module.named_parameters()}

    def call_module(self, weights: Weights, inputs: dict[str, Any], training: bool) -> Any:
        """What it says with other weights than its own."""
        self.module.train(training)
        module_weights = {
            n.removeprefix(PREFIX): w[0] for n, w in weights.items() if n.startswith(PREFIX)
        }
        device = inputs["input_ids"].device
        module_weights |= {name: buffer.to(device) for name, buffer in self.module.named_buffers()}
        return functional_call(self.module, module_weights, (), inputs)

    def decays(self, name: str) -> bool:
        """Whether weight decay is usual for it: not for a bias or a norm, most of them one row."""
        if not name.startswith(PREFIX):
            return not name.endswith(".b")
        weight: torch.Tensor = self.module.get_parameter(name.removeprefix(PREFIX))
        return weight.dim() > 1 and "bias" not in name

    def activations(self, width: int, count: int, longest: int) -> int:
        return 0  # there is one lane, whatever it takes

    def trim_vocabulary(self, tokens: TokenLists) -> tuple[Self, TokenLists, Restore]:
        """It knows all words."""
        return self, tokens, lambda trained: trained

    def build_scorer(self) -> Self:
        return self

    def split_state(self, weights: Weights) -> tuple[Weights, Weights]:
        """The network as transformers would save it, and what is not part of it."""
        module_weights = {
            n.removeprefix(PREFIX): w for n, w in weights.items() if n.startswith(PREFIX)
        }
        return module_weights, {n: w for n, w in weights.items() if not n.startswith(PREFIX)}
