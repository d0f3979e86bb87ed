"""Which encoders are like BERT, and what transformers calls their weights."""

from __future__ import annotations

import re
from typing import Any

import torch

from .encoder import Shape, Weights

_BERT = {
    "words": "embeddings.word_embeddings.weight",
    "places": "embeddings.position_embeddings.weight",
    "types": "embeddings.token_type_embeddings.weight",
    "norm": "embeddings.LayerNorm",
    "project": "embeddings_project",  # ELECTRA, where embeddings are narrower
    "pooler": "pooler.dense",
}
_LAYER = {
    "qkv": "attention.self.query|attention.self.key|attention.self.value",
    "out": "attention.output.dense",
    "norm1": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm2": "output.LayerNorm",
}
_MPNET = {
    **_LAYER,
    "qkv": "attention.attn.q|attention.attn.k|attention.attn.v",
    "out": "attention.attn.o",
    "norm1": "attention.LayerNorm",
}
_DISTILBERT = {
    "qkv": "attention.q_lin|attention.k_lin|attention.v_lin",
    "out": "attention.out_lin",
    "norm1": "sa_layer_norm",
    "up": "ffn.lin1",
    "down": "ffn.lin2",
    "norm2": "output_layer_norm",
}
_ALBERT = {
    "qkv": "attention.query|attention.key|attention.value",
    "out": "attention.dense",
    "norm1": "attention.LayerNorm",
    "up": "ffn",
    "down": "ffn_output",
    "norm2": "full_layer_layer_norm",
}
# by type: names outside of the layers, where a layer is, names in it
NAMES: dict[str, tuple[dict[str, str], str, dict[str, str]]] = {
    **dict.fromkeys(
        ("bert", "roberta", "xlm-roberta", "camembert", "electra"),
        (_BERT, "encoder.layer.{}.", _LAYER),
    ),
    "mpnet": (
        {**_BERT, "distances": "encoder.relative_attention_bias.weight"},
        "encoder.layer.{}.",
        _MPNET,
    ),
    "distilbert": (_BERT, "transformer.layer.{}.", _DISTILBERT),
    "albert": (
        {**_BERT, "project": "encoder.embedding_hidden_mapping_in", "pooler": "pooler"},
        "encoder.albert_layer_groups.{}.albert_layers.0.",
        _ALBERT,
    ),
}
SINGLE = ("words", "places", "types", "distances")  # no pair of weight and bias


def is_like_bert(config: Any) -> bool:
    """Whether this network is one that can be packed."""
    kind = config.model_type
    if kind not in NAMES or getattr(config, "is_decoder", False):
        return False
    if kind == "albert" and (config.num_hidden_groups, config.inner_group_num) != (1, 1):
        return False
    return str(getattr(config, "position_embedding_type", "absolute")) == "absolute"


def shape_of(config: Any) -> Shape:
    """The shape by its configuration."""
    from transformers.activations import ACT2FN

    kind = config.model_type
    small = kind == "distilbert"
    dropout = config.dropout if small else config.hidden_dropout_prob
    from_padding = kind in ("roberta", "xlm-roberta", "camembert", "mpnet")
    return Shape(
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        eps=1e-12 if small else config.layer_norm_eps,
        act=ACT2FN[config.activation if small else config.hidden_act],
        dropout=dropout,
        dropout_attention=(
            config.attention_dropout if small else config.attention_probs_dropout_prob
        ),
        dropout_out=0.0 if small else dropout,
        dropout_down=0.0 if kind == "albert" else dropout,
        first_place=(1 if kind == "mpnet" else config.pad_token_id) + 1 if from_padding else 0,
        shared=kind == "albert",
        distances=config.relative_attention_num_buckets if kind == "mpnet" else 0,
    )


def places_of(config: Any) -> int:
    """How many tokens there is room for."""
    return int(config.max_position_embeddings) - shape_of(config).first_place


def weights_of(config: Any, state: Weights) -> Weights:
    """Weights by our names, as far as there are any."""
    found = {}
    for ours, theirs in _pairs(config):
        if all(name in state for name in theirs):
            found[ours] = torch.cat([state[name] for name in theirs])
    return found


def state_of(config: Any, weights: Weights) -> Weights:
    """The way back: weights by the names of transformers."""
    found: Weights = {}
    for ours, theirs in _pairs(config):
        if ours in weights:
            parts = weights[ours].chunk(len(theirs))
            found |= {name: part.clone() for name, part in zip(theirs, parts, strict=True)}
    return found


def _pairs(config: Any) -> list[tuple[str, list[str]]]:
    """Our names, and the names of what is joined in it."""
    outside, where, inside = NAMES[config.model_type]
    layers = 1 if config.model_type == "albert" else config.num_hidden_layers
    named = {**outside}
    for layer in range(layers):
        for ours, theirs in inside.items():
            each = (where.format(layer) + name for name in theirs.split("|"))
            named[f"{layer}.{ours}"] = "|".join(each)
    found = []
    for ours, theirs in named.items():
        if ours in SINGLE:
            found.append((ours, [theirs]))
            continue
        for short, long in (("w", "weight"), ("b", "bias")):
            found.append((f"{ours}.{short}", [f"{name}.{long}" for name in theirs.split("|")]))
    return found


def decays(name: str) -> bool:
    """Whether weight decay is usual for it: not for a bias, also by distance, or a norm."""
    biased = name.endswith(".b") or name == "distances"
    return not biased and not re.search(r"(^|\.)norm\d?\.", name)
