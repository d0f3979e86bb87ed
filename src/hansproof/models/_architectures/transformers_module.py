"""Transformers modules as architectures: the full vocabulary, one run at a time."""

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
    """A base class that is both an `Architecture` and a `Network` of the training engine."""

    max_lanes = 1
    captures = False  # modules may branch on their data

    module: Any
    pad: int

    def pretrained_weights(self) -> Weights:
        """Return the module's weights."""
        return {f"{PREFIX}{n}": weight.detach() for n, weight in self.module.named_parameters()}

    def call_module(self, weights: Weights, inputs: dict[str, Any], training: bool) -> Any:
        """Call the module with other weights than its own."""
        self.module.train(training)
        module_weights = {
            n.removeprefix(PREFIX): w[0] for n, w in weights.items() if n.startswith(PREFIX)
        }
        device = inputs["input_ids"].device
        module_weights |= {name: buffer.to(device) for name, buffer in self.module.named_buffers()}
        return functional_call(self.module, module_weights, (), inputs)

    def decays(self, name: str) -> bool:
        """Return whether weight decay applies to a weight: not to biases and norms."""
        if not name.startswith(PREFIX):
            return not name.endswith(".b")
        weight: torch.Tensor = self.module.get_parameter(name.removeprefix(PREFIX))
        return weight.dim() > 1 and "bias" not in name

    def activations(self, width: int, count: int, longest: int) -> int:
        return 0  # there is only one lane, however much it needs

    def trim_vocabulary(self, tokens: TokenLists) -> tuple[Self, TokenLists, Restore]:
        """Return the module itself: it always has the full vocabulary."""
        return self, tokens, lambda trained: trained

    def build_scorer(self) -> Self:
        return self

    def split_state(self, weights: Weights) -> tuple[Weights, Weights]:
        """Split weights into those that transformers would save, and the rest (the head)."""
        module_weights = {
            n.removeprefix(PREFIX): w for n, w in weights.items() if n.startswith(PREFIX)
        }
        return module_weights, {n: w for n, w in weights.items() if not n.startswith(PREFIX)}
