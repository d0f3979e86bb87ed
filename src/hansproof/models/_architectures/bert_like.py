"""Encoders like BERT: which they are, and the names that transformers gives their weights."""

from __future__ import annotations

import re
from typing import Any

import torch

from .encoder import EncoderSpec, Weights

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
# by model type: names outside the layers, prefix of a layer, names inside a layer
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
SINGLE_WEIGHTS = (
    "words",
    "places",
    "types",
    "distances",
)  # tensors without a bias


def is_bert_like(config: Any) -> bool:
    """Return whether the network of a configuration can run packed."""
    model_type = config.model_type
    if model_type not in NAMES or getattr(config, "is_decoder", False):
        return False
    if model_type == "albert" and (config.num_hidden_groups, config.inner_group_num) != (1, 1):
        return False
    return str(getattr(config, "position_embedding_type", "absolute")) == "absolute"


def encoder_spec(config: Any) -> EncoderSpec:
    """Return the specification of a configuration's encoder."""
    from transformers.activations import ACT2FN

    model_type = config.model_type
    is_distilbert = model_type == "distilbert"
    dropout = config.dropout if is_distilbert else config.hidden_dropout_prob
    from_padding = model_type in ("roberta", "xlm-roberta", "camembert", "mpnet")
    return EncoderSpec(
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        eps=1e-12 if is_distilbert else config.layer_norm_eps,
        act=ACT2FN[config.activation if is_distilbert else config.hidden_act],
        dropout=dropout,
        dropout_attention=(
            config.attention_dropout if is_distilbert else config.attention_probs_dropout_prob
        ),
        dropout_attention_output=0.0 if is_distilbert else dropout,
        dropout_feed_forward=0.0 if model_type == "albert" else dropout,
        first_position=(1 if model_type == "mpnet" else config.pad_token_id) + 1
        if from_padding
        else 0,
        shares_layers=model_type == "albert",
        distance_buckets=config.relative_attention_num_buckets if model_type == "mpnet" else 0,
    )


def max_positions(config: Any) -> int:
    """Return the most tokens a sequence can have."""
    return int(config.max_position_embeddings) - encoder_spec(config).first_position


def to_packed_weights(config: Any, state: Weights) -> Weights:
    """Return the weights of a transformers state under packed names."""
    packed_weights = {}
    for packed_name, hf_names in _name_pairs(config):
        if all(name in state for name in hf_names):
            packed_weights[packed_name] = torch.cat([state[name] for name in hf_names])
    return packed_weights


def to_hf_state(config: Any, weights: Weights) -> Weights:
    """Return packed weights under the names of transformers."""
    state: Weights = {}
    for packed_name, hf_names in _name_pairs(config):
        if packed_name in weights:
            parts = weights[packed_name].chunk(len(hf_names))
            state |= {name: part.clone() for name, part in zip(hf_names, parts, strict=True)}
    return state


def _name_pairs(config: Any) -> list[tuple[str, list[str]]]:
    """Pair each packed name with the transformers names whose weights are concatenated in it."""
    outer_names, layer_prefix, layer_names = NAMES[config.model_type]
    layers = 1 if config.model_type == "albert" else config.num_hidden_layers
    joined_names = {**outer_names}
    for layer in range(layers):
        for packed_name, hf_names in layer_names.items():
            full_names = (layer_prefix.format(layer) + name for name in hf_names.split("|"))
            joined_names[f"{layer}.{packed_name}"] = "|".join(full_names)
    pairs = []
    for packed_name, hf_names in joined_names.items():
        if packed_name in SINGLE_WEIGHTS:
            pairs.append((packed_name, [hf_names]))
            continue
        for short, long in (("w", "weight"), ("b", "bias")):
            pairs.append(
                (f"{packed_name}.{short}", [f"{name}.{long}" for name in hf_names.split("|")])
            )
    return pairs


def decays(name: str) -> bool:
    """Return whether weight decay applies to a weight: not to biases, distance biases and norms."""
    biased = name.endswith(".b") or name == "distances"
    return not biased and not re.search(r"(^|\.)norm\d?\.", name)
