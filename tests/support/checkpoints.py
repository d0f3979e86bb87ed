"""Tiny checkpoints of every architecture: random weights, and a tokenizer that parts at blanks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof.types import Item, Items

WORDS = tuple(f"w{i}" for i in range(60))
SAID = ("True", "False", "A", "B", "C", ":", ".", "goal", "sol0", "sol1", "piqa")
PLACES = 64

# by style: the special tokens, what each is for, and how one or two segments are framed
STYLES: dict[str, tuple[tuple[str, ...], dict[str, str], str, str]] = {
    "bert": (
        ("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
        {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]"},
        "[CLS] $A [SEP]",
        "[CLS] $A [SEP] $B:1 [SEP]:1",
    ),
    "roberta": (
        ("<s>", "<pad>", "</s>", "<unk>"),
        {"pad": "<pad>", "unk": "<unk>", "bos": "<s>", "eos": "</s>", "sep": "</s>", "cls": "<s>"},
        "<s> $A </s>",
        "<s> $A </s> </s> $B </s>",
    ),
    "gpt2": (
        ("<|endoftext|>",),
        {"bos": "<|endoftext|>", "eos": "<|endoftext|>", "unk": "<|endoftext|>"},
        "$A",
        "$A $B",
    ),
    "llama": (
        ("<unk>", "<s>", "</s>"),
        {"unk": "<unk>", "bos": "<s>", "eos": "</s>"},
        "<s> $A",
        "<s> $A $B",
    ),
    "t5": (
        ("<pad>", "</s>", "<unk>"),
        {"pad": "<pad>", "eos": "</s>", "unk": "<unk>"},
        "$A </s>",
        "$A </s> $B </s>",
    ),
}
BERT_LIKE = ("bert", "roberta", "albert", "mpnet", "distilbert", "electra")
OTHERS = ("deberta", "deberta-v2", "gpt2", "llama", "bart", "t5")
RARE = ("distilbert", "electra", "deberta", "llama")  # much like others: `make slow` has them
STYLE_OF = {
    **dict.fromkeys(("bert", "albert", "distilbert", "electra", "deberta", "deberta-v2"), "bert"),
    **dict.fromkeys(("roberta", "mpnet", "bart"), "roberta"),
    "gpt2": "gpt2", "llama": "llama", "t5": "t5",
}  # fmt: skip


def in_turn(kinds: Iterable[str]) -> list[Any]:
    """Parameters of a test: what is rare is slow."""
    return [pytest.param(k, marks=pytest.mark.slow) if k in RARE else k for k in kinds]


def tokenizer(folder: Path, style: str, words: Iterable[str] = (*WORDS, *SAID)) -> Any:
    """A tokenizer of these words, saved."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    special, roles, one, two = STYLES[style]
    known = {word: at for at, word in enumerate(dict.fromkeys((*special, *words)))}
    made = Tokenizer(models.WordLevel(known, unk_token=roles["unk"]))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single=one, pair=two, special_tokens=[(name, known[name]) for name in special]
    )
    named = {f"{role}_token": name for role, name in roles.items()}
    inputs = ["input_ids", "token_type_ids", "attention_mask"]
    whole = PreTrainedTokenizerFast(
        tokenizer_object=made, model_max_length=PLACES, **named,
        model_input_names=[i for i in inputs if style == "bert" or i != "token_type_ids"],
    )  # fmt: skip
    whole.save_pretrained(folder)
    return whole


def config(kind: str, size: int, **other: Any) -> Any:
    """A configuration of next to nothing, for so many words."""
    from transformers import AutoConfig

    usual = {
        "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
        "intermediate_size": 64, "max_position_embeddings": PLACES,
    }  # fmt: skip
    own: dict[str, dict[str, Any]] = {
        "roberta": {**usual, "pad_token_id": 1, "type_vocab_size": 1},
        "albert": {**usual, "embedding_size": 16},
        "mpnet": {**usual, "pad_token_id": 1},
        "electra": {**usual, "embedding_size": 16},
        "distilbert": {
            "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64,
            "max_position_embeddings": PLACES,
        },
        "deberta-v2": {
            **usual, "relative_attention": True, "position_buckets": 8, "share_att_key": True,
            "norm_rel_ebd": "layer_norm", "pos_att_type": ["p2c", "c2p"], "type_vocab_size": 0,
        },
        "gpt2": {
            "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": PLACES, "bos_token_id": 0,
            "eos_token_id": 0,
        },
        "llama": {**usual, "num_key_value_heads": 2, "bos_token_id": 1, "eos_token_id": 2},
        "bart": {
            "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
            "decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64,
            "max_position_embeddings": PLACES, "pad_token_id": 1, "bos_token_id": 0,
            "eos_token_id": 2, "decoder_start_token_id": 2, "forced_eos_token_id": None,
        },
        "t5": {
            "d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4,
            "decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 1,
        },
    }  # fmt: skip
    return AutoConfig.for_model(kind, vocab_size=size, **{**own.get(kind, usual), **other})


def undropped(kind: str) -> dict[str, Any]:
    """What switches all dropout off."""
    names = {
        "distilbert": ("dropout", "attention_dropout"),
        "gpt2": ("resid_pdrop", "embd_pdrop", "attn_pdrop", "summary_first_dropout"),
        "bart": ("dropout", "attention_dropout", "activation_dropout"),
        "t5": ("dropout_rate",),
        "llama": (),
    }  # fmt: skip
    usual = ("hidden_dropout_prob", "attention_probs_dropout_prob")
    return dict.fromkeys(names.get(kind, usual), 0.0)


def checkpoint(
    folder: Path, kind: str, seed: int = 0, words: Iterable[str] = (*WORDS, *SAID),
    spread: float = 0.0, **other: Any,
) -> Path:  # fmt: skip
    """A folder of transformers; `spread` draws all weights anew, wider than is usual."""
    import torch
    from transformers import AutoModel, AutoModelForSeq2SeqLM

    folder.mkdir(parents=True, exist_ok=True)
    size = len(tokenizer(folder, STYLE_OF[kind], words))
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        made = (AutoModelForSeq2SeqLM if kind == "t5" else AutoModel).from_config(
            config(kind, size, **other)
        )
        for weight in made.parameters() if spread else ():
            torch.nn.init.normal_(weight, std=spread)
        made.save_pretrained(folder)
    return folder


def items(n: int, seed: int = 0, counts: tuple[int, ...] = (2, 3), field: str = "goal") -> Items:
    """Items of random words, which can be learnt by heart and no other way."""
    draw = np.random.default_rng(seed)

    def text(least: int, most: int) -> str:
        return " ".join(draw.choice(WORDS, int(draw.integers(least, most))))

    made = []
    for at in range(n):
        count = counts[at % len(counts)]
        choices = tuple(text(2, 6) for _ in range(count))
        made.append(Item(f"{seed}-{at}", {field: text(2, 8)}, choices, int(draw.integers(count))))
    return tuple(made)


def alone(items: Items) -> Items:
    """Each choice by itself: is it right?"""
    return tuple(
        Item(f"{item.id}-{at}", item.fields, (choice,), 0 if at == item.answer else None)
        for item in items
        for at, choice in enumerate(item.choices)
    )


def mixed(n: int, seed: int = 0) -> Items:
    """By turns an item of several choices, two to five, and one of a single choice.

    Where all have several, a score that all choices share has no gradient; but the noise that it
    has instead moves a weight, by Adam, as far as any gradient does, and nothing can be compared.
    """
    several = items(n, seed, (2, 3, 4, 5))
    both = zip(several, alone(several[::-1]), strict=False)
    return tuple(item for pair in both for item in pair)[:n]
