"""A ranker over any network of transformers, as its own module: padded, one run at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.func import functional_call

from ...training.packing import Sequences
from . import heads
from .encoder import Weights
from .packed import Restore, Tokens

PREFIX = "module."


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """A network as the engine wants it, and the family of its checkpoint: both are the module."""

    most = 1
    captures = False  # modules look at their data
    likelihood = False

    module: Any
    pooling: str
    dropout: float
    pad: int

    @property
    def places(self) -> int:
        """The most tokens a sequence can have."""
        return places_of(self.module.config)

    def start(self, seed: int) -> Weights:
        """The pretrained weights, and a new head."""
        own = {f"{PREFIX}{n}": one.detach() for n, one in self.module.named_parameters()}
        width = self.module.get_input_embeddings().weight.shape[1]
        width = getattr(self.module.config, "hidden_size", width)
        return {**own, **heads.drawn(width, self.pooling == "pooler", seed)}

    def scores(
        self, weights: Weights, sequences: Sequences, rows: torch.Tensor, width: int, longest: int,
        training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """(1, sequences)"""
        lengths = sequences.lengths[rows[0]]
        tokens, types, there = padded(sequences, rows[0], self.pad)
        asked = {"input_ids": tokens, "attention_mask": there.long()}
        if getattr(self.module.config, "type_vocab_size", 0) > 1:
            asked["token_type_ids"] = types
        said = called(self.module, weights, asked, training).last_hidden_state
        pooled = self._pooled(said, lengths, there)
        return heads.score(weights, pooled[None], self.pooling, self.dropout * training)

    def _pooled(self, said: torch.Tensor, lengths: torch.Tensor, there: Any) -> torch.Tensor:
        if self.pooling == "mean":
            sums = (said * there[:, :, None]).sum(1)
            return sums / lengths.clamp(min=1)[:, None].to(said.dtype)
        if self.pooling == "last":
            return said[torch.arange(len(said), device=said.device), (lengths - 1).clamp(min=0)]
        return said[:, 0]

    def decays(self, name: str) -> bool:
        return decayed(self.module, name)

    def activations(self, width: int, count: int, longest: int) -> int:
        return 0  # there is one lane, whatever it takes

    def trimmed(self, tokens: Tokens) -> tuple[Whole, Tokens, Restore]:
        """It knows all words."""
        return self, tokens, lambda trained: trained

    def scorer(self) -> Whole:
        return self

    def state(self, weights: Weights) -> tuple[Weights, Weights]:
        """The network as transformers would save it, and what is not part of it."""
        return parted(self.module, weights)


def places_of(config: Any) -> int:
    """The most tokens a sequence can have, as far as the configuration tells."""
    known = (getattr(config, name, None) for name in ("max_position_embeddings", "n_positions"))
    return min([int(one) for one in known if one and one > 0], default=512)


def padded(sequences: Sequences, rows: torch.Tensor, pad: int) -> tuple[torch.Tensor, ...]:
    """Tokens, segments, and where there are any: at least one, also of an empty sequence."""
    lengths = sequences.lengths[rows].clamp(min=1)
    longest = int(lengths.max())
    there = torch.arange(longest, device=rows.device) < lengths[:, None]
    tokens = sequences.tokens[rows, :longest].where(there, pad)
    return tokens, sequences.types[rows, :longest], there


def called(module: Any, weights: Weights, asked: dict[str, Any], training: bool) -> Any:
    """What a module says with other weights than its own."""
    module.train(training)
    own = {n.removeprefix(PREFIX): w[0] for n, w in weights.items() if n.startswith(PREFIX)}
    place = asked["input_ids"].device
    own |= {name: one.to(place) for name, one in module.named_buffers()}
    return functional_call(module, own, (), asked)


def decayed(module: Any, name: str) -> bool:
    """Whether weight decay is usual for it: not for a bias or a norm, most of them one row."""
    if not name.startswith(PREFIX):
        return not name.endswith(".b")
    one = module.get_parameter(name.removeprefix(PREFIX))
    return one.dim() > 1 and "bias" not in name


def parted(module: Any, weights: Weights) -> tuple[Weights, Weights]:
    """Weights of the module, all that it saves, and the others."""
    own = {n.removeprefix(PREFIX): w for n, w in weights.items() if n.startswith(PREFIX)}
    beyond = {n: w for n, w in weights.items() if not n.startswith(PREFIX)}
    return own, beyond
