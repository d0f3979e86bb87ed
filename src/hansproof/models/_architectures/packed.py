"""BERT-like encoders with a ranking head: packed tokens, several runs at once, few words.

Only embeddings of tokens that occur are trained. One more row is never read: it tracks what weight
decay does to the rows of all tokens that do not occur.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ...training.packing import PackedBatch, Sequences, spread_tokens
from . import bert_like, encoder, heads
from .architecture import Restore, TokenLists
from .encoder import EncoderSpec, Weights


@dataclass(frozen=True, slots=True, eq=False)
class PackedRanker:
    """A packed encoder and its head, as a `Network` of the training engine."""

    max_lanes = 1_000
    captures = True
    likelihood = False

    spec: EncoderSpec
    base: Weights
    pooling: str
    dropout: float  # before the last layer

    def start(self, seed: int) -> Weights:
        """Return the pretrained weights and a new head."""
        width = self.base["0.norm1.w"].numel()
        head = heads.init_head(width, self.pooling == "pooler", seed)
        return {**head, **self.base}

    def scores(
        self, weights: Weights, sequences: Sequences, rows: torch.Tensor, width: int, longest: int,
        training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """Return scores, (lanes, sequences)."""
        x, pack = encoder.encode_packed(
            self.spec, weights, sequences, rows, width, longest, training
        )
        return heads.score_pooled(
            weights, self._pool_tokens(x, pack), self.pooling, self.dropout * training
        )

    def _pool_tokens(self, x: torch.Tensor, pack: PackedBatch) -> torch.Tensor:
        lanes, width, features = x.shape
        if self.pooling == "mean":
            sums = spread_tokens(x, pack).sum(1).view(lanes, -1, features)
            return sums / pack.lengths.clamp(min=1)[:, :, None].to(x.dtype)
        positions = pack.lengths.cumsum(1) - (1 if self.pooling == "last" else pack.lengths)
        lane_starts = torch.arange(lanes, device=x.device)[:, None] * width
        indices = (positions.clamp(0, width - 1) + lane_starts).flatten()
        return x.reshape(-1, features).index_select(0, indices).view(lanes, -1, features)

    def decays(self, name: str) -> bool:
        return bert_like.decays(name)

    def activations(self, width: int, count: int, longest: int) -> int:
        features = int(self.base["0.norm1.w"].numel())
        layer = width * features * 40 + count * longest * (features * 6 + longest * 8)
        return 2 * layer * self.spec.layers


@dataclass(frozen=True, slots=True, eq=False)
class PackedArchitecture:
    """A BERT-like checkpoint."""

    config: Any
    hf_state: Weights  # under the names of transformers
    base: Weights  # under packed names, with the full vocabulary
    pooling: str
    dropout: float

    @property
    def max_tokens(self) -> int:
        """The most tokens a sequence can have."""
        return bert_like.max_positions(self.config)

    def trim_vocabulary(self, tokens: TokenLists) -> tuple[PackedRanker, TokenLists, Restore]:
        """Return a network for the tokens that occur, renumbered, and the way back."""
        used, renumbered = _renumber_tokens(tokens)
        words, rows = self.base["words"], torch.from_numpy(used)
        used_words = torch.cat([words[rows], torch.ones(1, words.shape[1])])
        net = PackedRanker(
            self._encoder_spec(), {**self.base, "words": used_words}, self.pooling, self.dropout
        )

        def restore(trained: Weights) -> Weights:
            trained_words = trained["words"]
            all_words = words.to(trained_words.device) * trained_words[-1]
            all_words[rows.to(trained_words.device)] = trained_words[:-1]
            return {**trained, "words": all_words}

        return net, renumbered, restore

    def build_scorer(self) -> PackedRanker:
        """Return a network with the full vocabulary."""
        return PackedRanker(self._encoder_spec(), self.base, self.pooling, self.dropout)

    def split_state(self, weights: Weights) -> tuple[Weights, Weights]:
        """Split weights into those that transformers would save, and the rest (the head)."""
        trained_state = bert_like.to_hf_state(self.config, weights)
        encoder_state = {
            name: trained_state.get(name, weight) for name, weight in self.hf_state.items()
        }
        head_prefixes = ("head.",) if "pooler" in "".join(encoder_state) else ("head.", "pooler.")
        return encoder_state, {
            name: weight for name, weight in weights.items() if name.startswith(head_prefixes)
        }

    def _encoder_spec(self) -> EncoderSpec:
        return bert_like.encoder_spec(self.config)


def build_packed(
    config: Any, module: Any, pooling: str, dropout: float | None, pooler_is_new: bool = False
) -> PackedArchitecture:
    """Build the architecture of a module; a pooler without weights is new for each seed."""
    hf_state = module.state_dict()
    base = bert_like.to_packed_weights(config, hf_state)
    if pooling != "pooler" or pooler_is_new:
        base = {n: weight for n, weight in base.items() if not n.startswith("pooler.")}
    default_dropout = bert_like.encoder_spec(config).dropout
    return PackedArchitecture(
        config, hf_state, base, pooling, default_dropout if dropout is None else dropout
    )


def _renumber_tokens(tokens: TokenLists) -> tuple[NDArray[np.int64], TokenLists]:
    """Return the distinct tokens, sorted, and the sequences as indices into them."""
    used = np.unique(np.array([token for sequence in tokens for token in sequence], np.int64))
    return used, [np.searchsorted(used, sequence).tolist() for sequence in tokens]
