"""A ranker over any network of transformers, as its own module: padded, one run at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from ...training.packing import Sequences
from . import heads
from .encoder import Weights
from .module import Module


@dataclass(frozen=True, slots=True, eq=False)
class Whole(Module):
    """One score for every sequence, from a new head."""

    likelihood = False

    pooling: str
    dropout: float  # before the head

    @property
    def places(self) -> int:
        """The most tokens a sequence can have."""
        return places_of(self.module.config)

    def start(self, seed: int) -> Weights:
        """The pretrained weights, and a new head."""
        width = self.module.get_input_embeddings().weight.shape[1]
        width = getattr(self.module.config, "hidden_size", width)
        return {**self.own(), **heads.drawn(width, self.pooling == "pooler", seed)}

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
        said = self.called(weights, asked, training).last_hidden_state
        one = pooled(said, lengths, there, self.pooling)
        return heads.score(weights, one[None], self.pooling, self.dropout * training)


def pooled(
    said: torch.Tensor, lengths: torch.Tensor, there: torch.Tensor, pooling: str
) -> torch.Tensor:
    """What is said of a sequence, by what is said of its tokens, which are padded."""
    if pooling == "mean":
        sums = (said * there[:, :, None]).sum(1)
        return sums / lengths.clamp(min=1)[:, None].to(said.dtype)
    if pooling == "last":
        return said[torch.arange(len(said), device=said.device), (lengths - 1).clamp(min=0)]
    return said[:, 0]


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
