"""Families of pretrained networks, and what each needs to rank choices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ...training.packing import Sequences
from ...types import Item
from .. import _checkpoint
from . import like_bert, packed, text_to_text, whole
from .coder import Coder

TEXT_TO_TEXT = ("t5", "mt5", "umt5", "longt5")
LONGEST = 512  # tokens, where nobody says otherwise


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
    tokenizer, config = _checkpoint.tokenizer(source), _checkpoint.config(source)
    family: Any
    pooling = _pooling(source, config, way.pooling)
    dropout = None if way.dropout < 0 else way.dropout
    if config.model_type in TEXT_TO_TEXT:
        module = _checkpoint.module(source, "AutoModelForSeq2SeqLM")
        family = text_to_text.TextToText(module, _pad(tokenizer, config))
    elif like_bert.is_like_bert(config):
        module, drawn = _checkpoint.loaded(source, "AutoModel", ("pooler",))
        family = packed.opened(config, module, pooling, dropout, bool(drawn))
    else:
        module = _checkpoint.module(source, without=("pooler",))
        _enlarged(tokenizer, module, way.inputs)
        usual = _dropout(config) if dropout is None else dropout
        family = whole.Whole(module, _pad(tokenizer, config), pooling, usual)
    length = min(way.length or LONGEST, family.places)
    prompts = config.model_type in TEXT_TO_TEXT
    ends = way.inputs == "ranking" and config.model_type == "gpt2"
    words = module.get_input_embeddings().weight.shape[0]
    coder = Coder(tokenizer, way, length, prompts, ends, words)
    with _checkpoint.readable(source):
        _tried(family, coder)
    return Opened(family, coder, tokenizer, module.config, pooling)


def _pooling(source: str, config: Any, asked: str) -> str:
    """Sentence encoders are made for the mean; who reads from the left knows all at the end."""
    if asked in ("mean", "last"):
        return asked
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    both_ways = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    if config.is_encoder_decoder or getattr(config, "is_decoder", False) or not both_ways:
        return "last"
    if asked == "auto":
        return "mean" if _checkpoint.has(source, _checkpoint.POOLING) else "first"
    return asked


def _tried(family: Any, coder: Coder) -> None:
    """See that something can be scored, before a whole sweep finds out that it cannot."""
    import torch

    ((ids, kinds),) = coder.code((Item("", {}, ("a",), 0),))[0]
    net = family.scorer()
    weights = {name: one[None] for name, one in net.start(0).items()}
    table, rows = Sequences.of([[*ids]], [[*kinds]], "cpu"), torch.zeros((1, 1), dtype=torch.long)
    with torch.no_grad():
        net.scores(weights, table, rows, len(ids), len(ids), False)
    coder.known.clear()
    coder.cut.clear()


def _dropout(config: Any) -> float:
    """Of the last layer, by the names that configurations have for it."""
    names = ("summary_first_dropout", "classifier_dropout", "hidden_dropout_prob", "dropout")
    known = (getattr(config, name, None) for name in names)
    return float(next((one for one in known if one is not None), 0.0))


def _pad(tokenizer: Any, config: Any) -> int:
    """What fills up; it is not looked at, so any token will do."""
    known = (tokenizer.pad_token_id, getattr(config, "pad_token_id", None), tokenizer.eos_token_id)
    return next((one for one in known if one is not None), 0)


def _enlarged(tokenizer: Any, module: Any, inputs: str) -> None:
    """A separator and an end of their own, for who has none (GPT-2: Branco et al. 2021)."""
    if inputs == "ranking" and tokenizer.sep_token is None:
        import torch

        tokenizer.add_special_tokens({"sep_token": "[SEP]", "cls_token": "[CLS]"})
        with torch.random.fork_rng(devices=[]), _checkpoint.quiet():
            torch.manual_seed(0)
            module.resize_token_embeddings(len(tokenizer), mean_resizing=False)
