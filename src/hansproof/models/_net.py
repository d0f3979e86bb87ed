"""A small network over word vectors that scores choices.

It makes one vector of a text, in every dimension the largest value over its words, and scores a
choice by one linear layer over the context's vectors and its own. Being linear, it adds the same
for the context to all choices of an item, which therefore cannot change which of them is ahead; its
gradient is nothing but rounding and dropout, which Adam blows up to full steps, so `full` differs
from `choices` by noise alone. So it was published (Niven and Kao 2019), and so it is here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._coded import Coded, Contexts, Ints

if TYPE_CHECKING:
    import torch

_TEXTS = 256  # read at a time when scoring


@dataclass(frozen=True, slots=True)
class Shape:
    """What sets one kind of network apart."""

    contexts: Contexts
    slots: int  # how many texts of context
    body: Callable[[int], tuple[Any, int]]  # for word vectors so wide: a layer, and its width
    run: Callable[[Any, torch.Tensor, torch.Tensor], torch.Tensor]  # layer, vectors, lengths


def new(rows: NDArray[np.float32], shape: Shape, seed: int) -> torch.nn.ModuleDict:
    """A network before training, with vectors for words 1, 2, ...; row 0 is never read."""
    import torch

    torch.manual_seed(seed)
    table = torch.from_numpy(np.concatenate([np.zeros((1, rows.shape[1]), np.float32), rows]))
    body, width = shape.body(rows.shape[1])
    return torch.nn.ModuleDict(
        {
            "words": torch.nn.Embedding.from_pretrained(table, freeze=False),
            "body": body,
            "last": torch.nn.Linear(width * (shape.slots + 1), 1),
        }
    )


def logits(
    net: torch.nn.ModuleDict, shape: Shape, coded: Coded, rows: Ints, dropout: float
) -> torch.Tensor:
    """Scores (items, most choices) as they are trained; -inf where an item has no such choice."""
    import torch
    from torch.nn import functional

    placed = np.concatenate([coded.contexts[rows], coded.choices[rows]], axis=1)
    texts, where = np.unique(placed, return_inverse=True)
    read = _read(net, shape, net["words"].weight, coded, texts)
    # a look-up as in a table of words: its gradient is summed in a fixed order, indexing's is not
    vectors = functional.embedding(_put(where.reshape(placed.shape), read), read)
    choices = vectors[:, shape.slots :]
    context = vectors[:, : shape.slots].flatten(1).unsqueeze(1).expand(-1, choices.shape[1], -1)
    joined = functional.dropout(torch.cat([context, choices], dim=2), dropout)
    missing = np.arange(choices.shape[1]) >= coded.counts[rows, None]
    given: torch.Tensor = net["last"](joined).squeeze(2)
    return given.masked_fill(_put(missing, read), -math.inf)


def loss(given: torch.Tensor, coded: Coded, rows: Ints) -> torch.Tensor:
    """Cross entropy: over the choices of an item, or of yes and no where there is but one."""
    from torch.nn import functional

    answers, alone = coded.answers[rows], coded.counts[rows] == 1
    several, single = (_put(np.flatnonzero(part), given) for part in (~alone, alone))
    over = functional.cross_entropy(
        given[several], _put(answers[~alone], given), ignore_index=-1, reduction="sum"
    )
    yes = _put((answers[alone] == 0).astype(np.float32), given)
    of_one = functional.binary_cross_entropy_with_logits(given[single, 0], yes, reduction="sum")
    return (over + of_one) / len(rows)


def _read(
    net: torch.nn.ModuleDict, shape: Shape, table: torch.Tensor, coded: Coded, texts: Ints
) -> torch.Tensor:
    """One vector for every text, zeros for one without words."""
    import torch
    from torch.nn import functional

    lengths = coded.lengths[texts]
    tokens = coded.tokens[texts, : max(1, lengths.max())]
    vectors = functional.embedding(_put(tokens, table), table)
    outputs = shape.run(net["body"], vectors, torch.from_numpy(np.maximum(lengths, 1)))
    beyond = np.arange(outputs.shape[1]) >= np.maximum(lengths, 1)[:, None]
    largest = outputs.masked_fill(_put(beyond, table).unsqueeze(2), -math.inf).max(dim=1).values
    return largest * _put(lengths > 0, table).unsqueeze(1)


def scores(
    net: torch.nn.ModuleDict, shape: Shape, coded: Coded, new: NDArray[np.float32]
) -> list[tuple[float, ...]]:
    """One score per choice, in double precision: a text's part in it is worked out once."""
    import torch

    with torch.inference_mode():
        table = torch.cat([net["words"].weight, _put(new.astype(np.float64), net["last"].weight)])
        weights = net["last"].weight.reshape(shape.slots + 1, -1)
        parts = np.zeros((len(coded.lengths), shape.slots + 1))
        order = np.argsort(coded.lengths, kind="stable")  # texts of a length need little padding
        for at in range(0, len(order), _TEXTS):
            texts = order[at : at + _TEXTS]
            read = _read(net, shape, table, coded, texts)
            parts[texts] = (read.unsqueeze(1) * weights).sum(dim=2).cpu().numpy()
    beside = parts[coded.contexts, np.arange(shape.slots)].sum(axis=1) + net["last"].bias.item()
    total = beside[:, None] + parts[coded.choices, shape.slots]
    return [tuple(row[:count].tolist()) for row, count in zip(total, coded.counts, strict=True)]


def _put(array: NDArray[Any], beside: torch.Tensor) -> torch.Tensor:
    """An array where a tensor is."""
    import torch

    return torch.from_numpy(array).to(beside.device)
