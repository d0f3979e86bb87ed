"""Any transformers module with a ranking head: padded sequences, one run at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from ...training.packing import Sequences
from . import heads
from .encoder import Weights
from .transformers_module import ModuleArchitecture


@dataclass(frozen=True, slots=True, eq=False)
class PaddedArchitecture(ModuleArchitecture):
    """Scores each sequence with a new head."""

    likelihood = False

    pooling: str
    dropout: float  # before the head

    @property
    def max_tokens(self) -> int:
        """The most tokens a sequence can have."""
        return max_positions(self.module.config)

    def start(self, seed: int) -> Weights:
        """Return the pretrained weights and a new head."""
        width = self.module.get_input_embeddings().weight.shape[1]
        width = getattr(self.module.config, "hidden_size", width)
        return {
            **self.pretrained_weights(),
            **heads.init_head(width, self.pooling == "pooler", seed),
        }

    def scores(
        self, weights: Weights, sequences: Sequences, rows: torch.Tensor, width: int, longest: int,
        training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """Return scores, (1, sequences)."""
        lengths = sequences.lengths[rows[0]]
        tokens, types, mask = pad_sequences(sequences, rows[0], self.pad)
        inputs = {"input_ids": tokens, "attention_mask": mask.long()}
        if getattr(self.module.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = types
        hidden = self.call_module(weights, inputs, training).last_hidden_state
        vectors = pool_tokens(hidden, lengths, mask, self.pooling)
        return heads.score_pooled(weights, vectors[None], self.pooling, self.dropout * training)


def pool_tokens(
    hidden: torch.Tensor, lengths: torch.Tensor, mask: torch.Tensor, pooling: str
) -> torch.Tensor:
    """Return one vector per sequence from the vectors of its padded tokens."""
    if pooling == "mean":
        sums = (hidden * mask[:, :, None]).sum(1)
        return sums / lengths.clamp(min=1)[:, None].to(hidden.dtype)
    if pooling == "last":
        return hidden[torch.arange(len(hidden), device=hidden.device), (lengths - 1).clamp(min=0)]
    return hidden[:, 0]


def max_positions(config: Any) -> int:
    """Return the most tokens a sequence can have, as far as the configuration says."""
    limits = (getattr(config, name, None) for name in ("max_position_embeddings", "n_positions"))
    return min([int(limit) for limit in limits if limit and limit > 0], default=512)


def pad_sequences(sequences: Sequences, rows: torch.Tensor, pad: int) -> tuple[torch.Tensor, ...]:
    """Return tokens, segments and mask; even an empty sequence has one token."""
    lengths = sequences.lengths[rows].clamp(min=1)
    longest = int(lengths.max())
    mask = torch.arange(longest, device=rows.device) < lengths[:, None]
    tokens = sequences.tokens[rows, :longest].where(mask, pad)
    return tokens, sequences.types[rows, :longest], mask
