"""Small networks over word vectors that score choices.

A network reduces each text to one vector, the maximum over its words in every dimension, and scores
a choice by one linear layer over the vectors of its context and of the choice. As the layer is
linear, the context adds the same to all choices of an item and cannot change their order. Its
gradient consists of rounding errors and dropout noise, which Adam amplifies to full steps, so
`full` differs from `choices` by noise alone. This is the published model (Niven and Kao 2019).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .numericalize import Contexts, Ints, NumericItems

if TYPE_CHECKING:
    import torch

_TEXTS = 256  # encoded at a time when scoring


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """In what the kinds of networks differ."""

    contexts: Contexts
    n_contexts: int  # number of context texts
    build_body: Callable[[int], tuple[Any, int]]  # from the vectors' width: layer, its width
    apply_body: Callable[[Any, torch.Tensor, torch.Tensor], torch.Tensor]  # layer, vectors, lengths


def build_net(
    word_vectors: NDArray[np.float32], spec: NetworkSpec, seed: int
) -> torch.nn.ModuleDict:
    """Return an untrained network, with vectors for words 1, 2, ...; row 0 is never read."""
    import torch

    torch.manual_seed(seed)
    table = torch.from_numpy(
        np.concatenate([np.zeros((1, word_vectors.shape[1]), np.float32), word_vectors])
    )
    body, width = spec.build_body(word_vectors.shape[1])
    return torch.nn.ModuleDict(
        {
            "words": torch.nn.Embedding.from_pretrained(table, freeze=False),
            "body": body,
            "last": torch.nn.Linear(width * (spec.n_contexts + 1), 1),
        }
    )


def compute_logits(
    net: torch.nn.ModuleDict, spec: NetworkSpec, encoded: NumericItems, rows: Ints, dropout: float
) -> torch.Tensor:
    """Return training scores, (items, most choices); -inf where an item has no such choice."""
    import torch
    from torch.nn import functional

    text_ids = np.concatenate([encoded.contexts[rows], encoded.choices[rows]], axis=1)
    texts, inverse = np.unique(text_ids, return_inverse=True)
    text_vectors = _encode_texts(net, spec, net["words"].weight, encoded, texts)
    # an embedding lookup sums its gradient in a fixed order, indexing does not
    vectors = functional.embedding(
        _tensor_on(inverse.reshape(text_ids.shape), text_vectors), text_vectors
    )
    choices = vectors[:, spec.n_contexts :]
    context = vectors[:, : spec.n_contexts].flatten(1).unsqueeze(1).expand(-1, choices.shape[1], -1)
    features = functional.dropout(torch.cat([context, choices], dim=2), dropout)
    missing = np.arange(choices.shape[1]) >= encoded.counts[rows, None]
    item_logits: torch.Tensor = net["last"](features).squeeze(2)
    return item_logits.masked_fill(_tensor_on(missing, text_vectors), -math.inf)


def loss(item_logits: torch.Tensor, encoded: NumericItems, rows: Ints) -> torch.Tensor:
    """Return the cross entropy over an item's choices, or of yes and no for a single choice."""
    from torch.nn import functional

    answers, is_single = encoded.answers[rows], encoded.counts[rows] == 1
    multi_rows, single_rows = (
        _tensor_on(np.flatnonzero(mask), item_logits) for mask in (~is_single, is_single)
    )
    multi_loss = functional.cross_entropy(
        item_logits[multi_rows],
        _tensor_on(answers[~is_single], item_logits),
        ignore_index=-1,
        reduction="sum",
    )
    targets = _tensor_on((answers[is_single] == 0).astype(np.float32), item_logits)
    single_loss = functional.binary_cross_entropy_with_logits(
        item_logits[single_rows, 0], targets, reduction="sum"
    )
    return (multi_loss + single_loss) / len(rows)


def _encode_texts(
    net: torch.nn.ModuleDict,
    spec: NetworkSpec,
    table: torch.Tensor,
    encoded: NumericItems,
    texts: Ints,
) -> torch.Tensor:
    """Return one vector per text; zeros for a text without words."""
    import torch
    from torch.nn import functional

    lengths = encoded.lengths[texts]
    tokens = encoded.tokens[texts, : max(1, lengths.max())]
    vectors = functional.embedding(_tensor_on(tokens, table), table)
    outputs = spec.apply_body(net["body"], vectors, torch.from_numpy(np.maximum(lengths, 1)))
    is_padding = np.arange(outputs.shape[1]) >= np.maximum(lengths, 1)[:, None]
    maxima = (
        outputs.masked_fill(_tensor_on(is_padding, table).unsqueeze(2), -math.inf).max(dim=1).values
    )
    return maxima * _tensor_on(lengths > 0, table).unsqueeze(1)


def score_items(
    net: torch.nn.ModuleDict,
    spec: NetworkSpec,
    encoded: NumericItems,
    new_vectors: NDArray[np.float32],
) -> list[tuple[float, ...]]:
    """Return one score per choice, in double precision; each text is encoded only once."""
    import torch

    with torch.inference_mode():
        table = torch.cat(
            [net["words"].weight, _tensor_on(new_vectors.astype(np.float64), net["last"].weight)]
        )
        weights = net["last"].weight.reshape(spec.n_contexts + 1, -1)
        contributions = np.zeros((len(encoded.lengths), spec.n_contexts + 1))
        order = np.argsort(encoded.lengths, kind="stable")  # similar lengths need little padding
        for start in range(0, len(order), _TEXTS):
            texts = order[start : start + _TEXTS]
            text_vectors = _encode_texts(net, spec, table, encoded, texts)
            contributions[texts] = (text_vectors.unsqueeze(1) * weights).sum(dim=2).cpu().numpy()
    context_scores = (
        contributions[encoded.contexts, np.arange(spec.n_contexts)].sum(axis=1)
        + net["last"].bias.item()
    )
    totals = context_scores[:, None] + contributions[encoded.choices, spec.n_contexts]
    return [tuple(row[:count].tolist()) for row, count in zip(totals, encoded.counts, strict=True)]


def _tensor_on(array: NDArray[Any], reference: torch.Tensor) -> torch.Tensor:
    """Return an array as a tensor on the device of another."""
    import torch

    return torch.from_numpy(array).to(reference.device)
