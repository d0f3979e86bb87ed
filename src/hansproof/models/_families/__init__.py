"""Families of pretrained networks, and what each needs to rank choices."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ...errors import ModelError
from .. import _checkpoint
from . import like_bert, packed, text_to_text, whole
from .coder import Coder

TEXT_TO_TEXT = ("t5", "mt5", "umt5", "longt5")
LONGEST = 512  # tokens, where nobody says otherwise
BLANK = "\u2581"  # as tokenizers of pieces of sentences have it


@dataclass(frozen=True, slots=True)
class Way:
    """How a checkpoint is used."""

    pooling: str
    inputs: str
    length: int  # 0: what there is room for
    dropout: float  # before the last layer; below 0: as inside
    task: str  # the word that a prompt begins with


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A checkpoint ready to be trained: its network, and what turns items into its tokens."""

    family: Any
    coder: Coder
    tokenizer: Any
    config: Any
    pooling: str


@lru_cache(maxsize=1)
def opened(source: str, fingerprint: str, way: Way) -> Opened:
    """The checkpoint; the last one used stays in memory."""
    tokenizer, config = _tokenizer(source), _checkpoint.config(source)
    family: Any
    pooling = _pooling(source, config, way.pooling)
    dropout = None if way.dropout < 0 else way.dropout
    if config.model_type in TEXT_TO_TEXT:
        module = _checkpoint.module(source, "AutoModelForSeq2SeqLM")
        family = text_to_text.TextToText(module, _pad(tokenizer, config))
    elif like_bert.is_like_bert(config):
        module, drawn = _module(source)
        family = packed.opened(config, module, pooling, dropout, drawn)
    else:
        module, _ = _module(source)
        _enlarged(tokenizer, module, way.inputs)
        usual = getattr(config, "hidden_dropout_prob", getattr(config, "dropout", 0.0)) or 0.0
        family = whole.Whole(
            module, pooling, usual if dropout is None else dropout, _pad(tokenizer, config)
        )
    length = min(way.length or LONGEST, family.places)
    prompts = config.model_type in TEXT_TO_TEXT
    ends = way.inputs == "ranking" and config.model_type == "gpt2"
    words = module.get_input_embeddings().weight.shape[0]
    coder = Coder(tokenizer, way, length, prompts, ends, words)
    return Opened(family, coder, tokenizer, module.config, pooling)


def _tokenizer(source: str) -> Any:
    """Its tokenizer; where there is none transformers makes one up that knows no words."""
    tokenizer = _checkpoint.tokenizer(source)
    if not {*tokenizer.get_vocab()} - {*tokenizer.all_special_tokens, BLANK}:
        raise ModelError(f"{source}: has no tokenizer, or one that knows no words")
    return tokenizer


def _module(source: str) -> tuple[Any, bool]:
    """The network, and whether its pooler is drawn for want of weights: then it is a head's."""
    import torch

    with contextlib.suppress(ModelError):
        return _checkpoint.module(source), False
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)  # whatever was drawn before
        return _checkpoint.module(source, without=("pooler",)), True


def _pooling(source: str, config: Any, asked: str) -> str:
    """Sentence encoders are made for the mean; who reads from the left knows all at the end."""
    if asked in ("mean", "last"):
        return asked
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    both_ways = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    if config.is_encoder_decoder or not both_ways:
        return "last"
    if asked == "auto":
        return "mean" if os.path.isdir(os.path.join(source, "1_Pooling")) else "first"
    return asked


def _pad(tokenizer: Any, config: Any) -> int:
    """What fills up; it is not looked at, so any token will do."""
    known = (tokenizer.pad_token_id, config.pad_token_id, tokenizer.eos_token_id)
    return next((one for one in known if one is not None), 0)


def _enlarged(tokenizer: Any, module: Any, inputs: str) -> None:
    """A separator and an end of their own, for who has none (GPT-2: Branco et al. 2021)."""
    if inputs == "ranking" and tokenizer.sep_token is None:
        import torch

        tokenizer.add_special_tokens({"sep_token": "[SEP]", "cls_token": "[CLS]"})
        with torch.random.fork_rng(devices=[]), _checkpoint.quiet():
            torch.manual_seed(0)
            module.resize_token_embeddings(len(tokenizer), mean_resizing=False)
