"""A ranker over an encoder like BERT: packed tokens, several runs at once, only words that occur.

Of the table of words only the rows that occur are trained. One more row is never read: what weight
decay makes of it, it makes of all that did not occur.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ...training.packing import Packed, Sequences, spread
from . import encoder, heads, like_bert
from .encoder import Shape, Weights

Tokens = list[list[int]]
Restore = Callable[[Weights], Weights]


@dataclass(frozen=True, slots=True, eq=False)
class Ranker:
    """A network as the engine wants it."""

    most = 1_000
    captures = True
    likelihood = False

    shape: Shape
    base: Weights
    pooling: str
    dropout: float  # before the last layer

    def start(self, seed: int) -> Weights:
        """The pretrained weights, and a new head."""
        width = self.base["0.norm1.w"].numel()
        new = heads.drawn(width, self.pooling == "pooler", seed)
        return {**new, **self.base}

    def scores(
        self, weights: Weights, sequences: Sequences, rows: torch.Tensor, width: int, longest: int,
        training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """(lanes, sequences)"""
        x, pack = encoder.encoded(self.shape, weights, sequences, rows, width, longest, training)
        return heads.score(weights, self._pooled(x, pack), self.pooling, self.dropout * training)

    def _pooled(self, x: torch.Tensor, pack: Packed) -> torch.Tensor:
        lanes, width, features = x.shape
        if self.pooling == "mean":
            sums = spread(x, pack).sum(1).view(lanes, -1, features)
            return sums / pack.lengths.clamp(min=1)[:, :, None].to(x.dtype)
        at = pack.lengths.cumsum(1) - (1 if self.pooling == "last" else pack.lengths)
        first = torch.arange(lanes, device=x.device)[:, None] * width
        where = (at.clamp(0, width - 1) + first).flatten()
        return x.reshape(-1, features).index_select(0, where).view(lanes, -1, features)

    def decays(self, name: str) -> bool:
        return like_bert.decays(name)

    def activations(self, width: int, count: int, longest: int) -> int:
        features = int(self.base["0.norm1.w"].numel())
        layer = width * features * 40 + count * longest * (features * 6 + longest * 8)
        return 2 * layer * self.shape.layers


@dataclass(frozen=True, slots=True, eq=False)
class PackedFamily:
    """All that is made of one checkpoint."""

    config: Any
    saved: Weights  # by the names of transformers
    base: Weights  # by ours, with all words
    pooling: str
    dropout: float

    @property
    def places(self) -> int:
        """The most tokens a sequence can have."""
        return like_bert.places_of(self.config)

    def trimmed(self, tokens: Tokens) -> tuple[Ranker, Tokens, Restore]:
        """A network that knows only these tokens, by their number among them, and the way back."""
        used, numbered = _renumbered(tokens)
        words, rows = self.base["words"], torch.from_numpy(used)
        few = torch.cat([words[rows], torch.ones(1, words.shape[1])])
        net = Ranker(self._shape(), {**self.base, "words": few}, self.pooling, self.dropout)

        def restored(trained: Weights) -> Weights:
            few = trained["words"]
            whole = words.to(few.device) * few[-1]
            whole[rows.to(few.device)] = few[:-1]
            return {**trained, "words": whole}

        return net, numbered, restored

    def scorer(self) -> Ranker:
        """A network that knows all words."""
        return Ranker(self._shape(), self.base, self.pooling, self.dropout)

    def state(self, weights: Weights) -> tuple[Weights, Weights]:
        """The encoder as transformers would save it, and what is not part of it."""
        named = like_bert.state_of(self.config, weights)
        own = {name: named.get(name, one) for name, one in self.saved.items()}
        beyond = ("head.",) if "pooler" in "".join(own) else ("head.", "pooler.")
        return own, {name: one for name, one in weights.items() if name.startswith(beyond)}

    def _shape(self) -> Shape:
        return like_bert.shape_of(self.config)


def opened(
    config: Any, module: Any, pooling: str, dropout: float | None, drawn: bool = False
) -> PackedFamily:
    """The family of a network of transformers, whose pooler may be drawn: each seed draws anew."""
    saved = module.state_dict()
    base = like_bert.weights_of(config, saved)
    if pooling != "pooler" or drawn:
        base = {n: one for n, one in base.items() if not n.startswith("pooler.")}
    usual = like_bert.shape_of(config).dropout
    return PackedFamily(config, saved, base, pooling, usual if dropout is None else dropout)


def _renumbered(tokens: Tokens) -> tuple[NDArray[np.int64], Tokens]:
    """The tokens that are used, sorted, and sequences by their number among these."""
    used = np.unique(np.array([one for some in tokens for one in some], np.int64))
    return used, [np.searchsorted(used, some).tolist() for some in tokens]
