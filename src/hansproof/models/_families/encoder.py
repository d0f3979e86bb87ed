"""Encoders like BERT, their tokens packed without padding, several runs side by side.

The same function as the modules of transformers, over the same weights (the tests compare them).
Every weight has a first dimension, the lanes: runs that share nothing but the launch of a kernel,
so that many small products become a few that fill a GPU.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from ...training.fusing import fused
from ...training.packing import Packed, Sequences, collected, packed, spread

Weights = dict[str, torch.Tensor]
LONG = 128  # from here attention is worked out piece by piece, to spare memory


@dataclass(frozen=True, slots=True)
class Shape:
    """What sets one encoder apart from another."""

    layers: int
    heads: int
    eps: float
    act: Callable[[torch.Tensor], torch.Tensor]
    dropout: float  # over what is embedded
    dropout_attention: float
    dropout_out: float  # over what attention adds
    dropout_down: float  # over what the two layers after it add
    first_place: int = 0  # the position of the first token
    shared: bool = False  # all layers have the same weights
    distances: int = 0  # how far apart tokens can be to attention, where it knows


def encoded(
    shape: Shape, weights: Weights, sequences: Sequences, rows: torch.Tensor,
    width: int, longest: int, training: bool,
) -> tuple[torch.Tensor, Packed]:  # fmt: skip
    """What the last layer says of every token, (lanes, width, features), and where they are."""
    pack = packed(sequences, rows, width, longest)
    rate = shape.dropout * training
    x = _embedded(shape, weights, pack, rate)
    mask = _mask(shape, weights, pack, x.dtype)
    for layer in range(shape.layers):
        own = "0" if shape.shared else str(layer)
        parts = tuple(weights[f"{own}.{name}"] for name in PARTS)
        x = _layer(x, parts, pack, mask, shape, training)
    return x, pack


PARTS = (
    "qkv.w", "qkv.b", "out.w", "out.b", "norm1.w", "norm1.b",
    "up.w", "up.b", "down.w", "down.b", "norm2.w", "norm2.b",
)  # fmt: skip


def _embedded(shape: Shape, weights: Weights, pack: Packed, rate: float) -> torch.Tensor:
    x = _rows(weights["words"], pack.tokens)
    x = x + _rows(weights["places"], pack.places + shape.first_place)
    if "types" in weights:
        most = weights["types"].shape[1] - 1  # a tokenizer may know two where there is but one
        x = x + _rows(weights["types"], pack.types.clamp(max=most))
    x = _norm(x, weights["norm.w"], weights["norm.b"], shape.eps)
    x = _dropped(x, rate)
    if "project.w" in weights:
        x = linear(x, weights["project.w"], weights["project.b"])
    return x


def _rows(table: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
    """Rows of each lane's own table."""
    lanes, size, features = table.shape
    first = torch.arange(lanes, device=numbers.device)[:, None] * size
    return functional.embedding(numbers + first, table.reshape(lanes * size, features))


class _Linear(torch.autograd.Function):  # type: ignore[misc]
    """Each lane by its own weights, whose gradient comes as they lie in memory, not turned."""

    @staticmethod
    def forward(ctx: Any, x: Any, weights: Any) -> Any:
        ctx.save_for_backward(x, weights)
        return torch.bmm(x, weights.transpose(1, 2))

    @staticmethod
    def backward(ctx: Any, given: Any) -> Any:
        x, weights = ctx.saved_tensors
        return torch.bmm(given, weights), torch.bmm(given.transpose(1, 2), x)


def linear(x: torch.Tensor, weights: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Each lane by its own weights."""
    product: torch.Tensor = _Linear.apply(x, weights)
    return product + bias[:, None]


@fused()
def _layer(
    x: torch.Tensor, w: tuple[torch.Tensor, ...], pack: Packed, mask: torch.Tensor, shape: Shape,
    training: bool,
) -> torch.Tensor:  # fmt: skip
    qkv, qkv_b, out, out_b, norm1, norm1_b, up, up_b, down, down_b, norm2, norm2_b = w
    heads = spread(linear(x, qkv, qkv_b), pack)
    sequences, longest, _ = heads.shape
    q, k, v = heads.view(sequences, longest, 3, shape.heads, -1).permute(2, 0, 3, 1, 4)
    seen = _attended(q, k, v, mask, shape.dropout_attention * training)
    seen = collected(seen.transpose(1, 2).reshape(sequences, longest, -1), pack)
    added = _dropped(linear(seen, out, out_b), shape.dropout_out * training)
    x = _norm(x + added, norm1, norm1_b, shape.eps)
    added = linear(shape.act(linear(x, up, up_b)), down, down_b)
    return _norm(x + _dropped(added, shape.dropout_down * training), norm2, norm2_b, shape.eps)


def _attended(q: Any, k: Any, v: Any, mask: torch.Tensor, rate: float) -> torch.Tensor:
    """(sequences, heads, longest, features)"""
    if q.shape[2] > LONG:
        return functional.scaled_dot_product_attention(q, k, v, mask, rate)
    scores = torch.matmul(q, k.transpose(2, 3)).float() / math.sqrt(q.shape[3])
    shares = torch.softmax(scores + mask.float(), dim=3).to(q.dtype)
    return torch.matmul(_dropped(shares, rate), v)


def _dropped(x: torch.Tensor, rate: float) -> torch.Tensor:
    return functional.dropout(x, rate, rate > 0)


def _norm(x: torch.Tensor, weight: torch.Tensor, shift: torch.Tensor, eps: float) -> torch.Tensor:
    return functional.layer_norm(x, x.shape[-1:], eps=eps) * weight[:, None] + shift[:, None]


def _mask(shape: Shape, weights: Weights, pack: Packed, dtype: torch.dtype) -> torch.Tensor:
    """What attention adds: nothing, but -inf where no token is, and for the distance."""
    lanes, count, longest = pack.there.shape
    visible = pack.there | (pack.lengths == 0)[:, :, None]  # of an empty sequence everything
    mask = torch.zeros(visible.shape, dtype=dtype, device=visible.device)
    mask = mask.masked_fill(~visible, -math.inf).view(lanes, count, 1, 1, longest)
    if shape.distances:
        mask = mask + _by_distance(weights["distances"], longest)[:, None]
    return mask.flatten(0, 1)


def _by_distance(table: torch.Tensor, longest: int) -> torch.Tensor:
    """(lanes, heads, longest, longest), as MPNet has it: one table for all layers."""
    lanes, buckets, heads = table.shape
    step = torch.arange(longest, device=table.device)
    away = step[:, None] - step[None, :]  # how far the one looked at is to the left
    half = buckets // 2
    near, apart = half // 2, away.abs()
    far = near + (
        torch.log(apart.clamp(min=1).float() / near) / math.log(128 / near) * (half - near)
    ).long().clamp(max=half - near - 1)  # fmt: skip
    bucket = (away < 0).long() * half + apart.where(apart < near, far)
    # a product instead of a look-up: its gradient is a product too
    chosen = functional.one_hot(bucket.flatten(), buckets).to(table.dtype)
    return torch.matmul(chosen, table).view(lanes, longest, longest, heads).permute(0, 3, 1, 2)
