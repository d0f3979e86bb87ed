"""Heads: from vectors of tokens to one score per sequence."""

from __future__ import annotations

import torch
from torch.nn import functional

INIT_STD = 0.02  # of new weights


def init_head(width: int, pooler: bool, seed: int) -> dict[str, torch.Tensor]:
    """Return new weights, different for each seed."""
    generator = torch.Generator().manual_seed(seed)
    weights = {
        "head.w": torch.randn(1, width, generator=generator) * INIT_STD,
        "head.b": torch.zeros(1),
    }
    if pooler:
        weights["pooler.w"] = torch.randn(width, width, generator=generator) * INIT_STD
        weights["pooler.b"] = torch.zeros(width)
    return weights


def score_pooled(
    weights: dict[str, torch.Tensor], pooled: torch.Tensor, pooling: str, dropout: float
) -> torch.Tensor:
    """Return scores (lanes, sequences) of vectors (lanes, sequences, features), in fp32."""
    if pooling == "pooler":
        dense = torch.bmm(pooled, weights["pooler.w"].transpose(1, 2))
        pooled = torch.tanh(dense + weights["pooler.b"][:, None])
    pooled = functional.dropout(pooled, dropout, dropout > 0)
    return (pooled.float() * weights["head.w"].float()).sum(2) + weights["head.b"].float()
