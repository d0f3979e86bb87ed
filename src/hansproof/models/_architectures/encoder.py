"""BERT-like encoders over packed tokens, without padding, for several runs at once.

They compute the same function as the modules of transformers, from the same weights (the tests
compare both). The first dimension of every weight are the lanes: independent runs that share
kernel launches, so that many small matrix products become a few that fill a GPU.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from ...training.compilation import compile_on_gpu
from ...training.packing import (
    PackedBatch,
    Sequences,
    collect_tokens,
    pack_sequences,
    spread_tokens,
)

Weights = dict[str, torch.Tensor]
LONG_SEQUENCE = 128  # tokens; longer sequences use memory-efficient attention


@dataclass(frozen=True, slots=True)
class EncoderSpec:
    """The hyperparameters in which encoders differ."""

    layers: int
    heads: int
    eps: float
    act: Callable[[torch.Tensor], torch.Tensor]
    dropout: float  # of embeddings
    dropout_attention: float
    dropout_attention_output: float  # of the output of attention
    dropout_feed_forward: float  # of the output of the feed-forward layers
    first_position: int = 0  # the position of the first token
    shares_layers: bool = False  # all layers have the same weights
    distance_buckets: int = 0  # buckets of the distance bias; 0: it has none


def encode_packed(
    spec: EncoderSpec, weights: Weights, sequences: Sequences, rows: torch.Tensor,
    width: int, longest: int, training: bool,
) -> tuple[torch.Tensor, PackedBatch]:  # fmt: skip
    """Return the last layer's output for every token, (lanes, width, features), and the packing."""
    pack = pack_sequences(sequences, rows, width, longest)
    dropout_rate = spec.dropout * training
    x = _embed_tokens(spec, weights, pack, dropout_rate)
    mask = _attention_mask(spec, weights, pack, x.dtype)
    for layer in range(spec.layers):
        layer_name = "0" if spec.shares_layers else str(layer)
        layer_weights = tuple(weights[f"{layer_name}.{name}"] for name in LAYER_WEIGHTS)
        x = _run_layer(x, layer_weights, pack, mask, spec, training)
    return x, pack


LAYER_WEIGHTS = (
    "qkv.w", "qkv.b", "out.w", "out.b", "norm1.w", "norm1.b",
    "up.w", "up.b", "down.w", "down.b", "norm2.w", "norm2.b",
)  # fmt: skip


def _embed_tokens(
    spec: EncoderSpec, weights: Weights, pack: PackedBatch, dropout_rate: float
) -> torch.Tensor:
    """Return the embeddings of the packed tokens."""
    x = _lookup_rows(weights["words"], pack.tokens)
    x = x + _lookup_rows(weights["places"], pack.positions + spec.first_position)
    if "types" in weights:
        last_type = weights["types"].shape[1] - 1  # tokenizers may use more types
        x = x + _lookup_rows(weights["types"], pack.types.clamp(max=last_type))
    x = _layer_norm(x, weights["norm.w"], weights["norm.b"], spec.eps)
    x = _drop_out(x, dropout_rate)
    if "project.w" in weights:
        x = lane_linear(x, weights["project.w"], weights["project.b"])
    return x


def _lookup_rows(table: torch.Tensor, indices: torch.Tensor) -> torch.Tensor:
    """Return rows of each lane's own table."""
    lanes, size, features = table.shape
    lane_starts = torch.arange(lanes, device=indices.device)[:, None] * size
    return functional.embedding(indices + lane_starts, table.reshape(lanes * size, features))


class _LaneLinear(torch.autograd.Function):  # type: ignore[misc]
    """Multiply each lane by its own weights; the gradient has the memory layout of the weights."""

    @staticmethod
    def forward(ctx: Any, x: Any, weights: Any) -> Any:
        ctx.save_for_backward(x, weights)
        return torch.bmm(x, weights.transpose(1, 2))

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        x, weights = ctx.saved_tensors
        return torch.bmm(grad_output, weights), torch.bmm(grad_output.transpose(1, 2), x)


def lane_linear(x: torch.Tensor, weights: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Apply a linear layer with weights of its own to each lane."""
    product: torch.Tensor = _LaneLinear.apply(x, weights)
    return product + bias[:, None]


@compile_on_gpu()
def _run_layer(
    x: torch.Tensor, w: tuple[torch.Tensor, ...], pack: PackedBatch, mask: torch.Tensor,
    spec: EncoderSpec, training: bool,
) -> torch.Tensor:  # fmt: skip
    """Apply one transformer layer."""
    qkv, qkv_b, out, out_b, norm1, norm1_b, up, up_b, down, down_b, norm2, norm2_b = w
    heads = spread_tokens(lane_linear(x, qkv, qkv_b), pack)
    sequences, longest, _ = heads.shape
    q, k, v = heads.view(sequences, longest, 3, spec.heads, -1).permute(2, 0, 3, 1, 4)
    attended = _attend(q, k, v, mask, spec.dropout_attention * training)
    attended = collect_tokens(attended.transpose(1, 2).reshape(sequences, longest, -1), pack)
    update = _drop_out(lane_linear(attended, out, out_b), spec.dropout_attention_output * training)
    x = _layer_norm(x + update, norm1, norm1_b, spec.eps)
    update = lane_linear(spec.act(lane_linear(x, up, up_b)), down, down_b)
    return _layer_norm(
        x + _drop_out(update, spec.dropout_feed_forward * training), norm2, norm2_b, spec.eps
    )


def _attend(q: Any, k: Any, v: Any, mask: torch.Tensor, dropout_rate: float) -> torch.Tensor:
    """Return the output of attention, (sequences, heads, longest, features)."""
    if q.shape[2] > LONG_SEQUENCE:
        return functional.scaled_dot_product_attention(q, k, v, mask, dropout_rate)
    scores = torch.matmul(q, k.transpose(2, 3)).float() / math.sqrt(q.shape[3])
    attention = torch.softmax(scores + mask.float(), dim=3).to(q.dtype)
    return torch.matmul(_drop_out(attention, dropout_rate), v)


def _drop_out(x: torch.Tensor, rate: float) -> torch.Tensor:
    return functional.dropout(x, rate, rate > 0)


def _layer_norm(
    x: torch.Tensor, weight: torch.Tensor, shift: torch.Tensor, eps: float
) -> torch.Tensor:
    return functional.layer_norm(x, x.shape[-1:], eps=eps) * weight[:, None] + shift[:, None]


def _attention_mask(
    spec: EncoderSpec, weights: Weights, pack: PackedBatch, dtype: torch.dtype
) -> torch.Tensor:
    """Return what is added to attention scores: -inf at padding, and the distance bias."""
    lanes, count, longest = pack.spread_mask.shape
    visible = pack.spread_mask | (pack.lengths == 0)[:, :, None]  # empty: all
    mask = torch.zeros(visible.shape, dtype=dtype, device=visible.device)
    mask = mask.masked_fill(~visible, -math.inf).view(lanes, count, 1, 1, longest)
    if spec.distance_buckets:
        mask = mask + _distance_bias(weights["distances"], longest)[:, None]
    return mask.flatten(0, 1)


def _distance_bias(table: torch.Tensor, longest: int) -> torch.Tensor:
    """Return MPNet's bias by distance, (lanes, heads, longest, longest), shared by all layers."""
    lanes, buckets, heads = table.shape
    positions = torch.arange(longest, device=table.device)
    offset = positions[:, None] - positions[None, :]  # how far left the other token is
    half = buckets // 2
    n_exact, distance = half // 2, offset.abs()
    log_distance = torch.log(distance.clamp(min=1).float() / n_exact) / math.log(128 / n_exact)
    log_bucket = n_exact + (log_distance * (half - n_exact)).long().clamp(max=half - n_exact - 1)
    bucket = (offset < 0).long() * half + distance.where(distance < n_exact, log_bucket)
    # a product instead of a lookup, because its gradient is a product, too
    bucket_one_hot = functional.one_hot(bucket.flatten(), buckets).to(table.dtype)
    return (
        torch.matmul(bucket_one_hot, table).view(lanes, longest, longest, heads).permute(0, 3, 1, 2)
    )
