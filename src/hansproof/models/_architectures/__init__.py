"""Architectures of pretrained networks, and what each needs to rank choices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ...pretrained import checkpoint
from ...training.packing import Sequences
from ...types import Item
from . import bert_like, packed, padded, text_to_text
from .architecture import Architecture
from .item_tokenizer import ItemTokenizer

TEXT_TO_TEXT = ("t5", "mt5", "umt5", "longt5")
MAX_TOKENS = 512  # of a sequence, by default


@dataclass(frozen=True, slots=True)
class InputFormat:
    """How a checkpoint reads items and scores them."""

    pooling: str
    inputs: str
    length: int  # most tokens of a sequence; 0: as many as possible
    dropout: float  # before the last layer; below 0: as the configuration says
    task: str  # the first word of a prompt


@dataclass(frozen=True, slots=True, eq=False)
class LoadedModel:
    """A checkpoint ready for training: its network, and what turns items into tokens."""

    architecture: Architecture
    item_tokenizer: ItemTokenizer
    tokenizer: Any
    config: Any
    pooling: str


@lru_cache(maxsize=1)
def load_model(source: str, fingerprint: str, input_format: InputFormat) -> LoadedModel:
    """Load a checkpoint; the last one used stays in memory."""
    tokenizer, config = checkpoint.load_tokenizer(source), checkpoint.load_config(source)
    architecture: Architecture
    pooling = _choose_pooling(source, config, input_format.pooling)
    dropout = None if input_format.dropout < 0 else input_format.dropout
    if config.model_type in TEXT_TO_TEXT:
        module = checkpoint.load_module(source, "AutoModelForSeq2SeqLM")
        architecture = text_to_text.TextToText(module, _pad_token_id(tokenizer, config))
    elif bert_like.is_bert_like(config):
        module, missing_weights = checkpoint.load_reporting_missing(
            source, "AutoModel", ("pooler",)
        )
        architecture = packed.build_packed(config, module, pooling, dropout, bool(missing_weights))
    else:
        module = checkpoint.load_module(source, optional_parts=("pooler",))
        _add_special_tokens(tokenizer, module, input_format.inputs)
        head_dropout = _config_dropout(config) if dropout is None else dropout
        architecture = padded.PaddedArchitecture(
            module, _pad_token_id(tokenizer, config), pooling, head_dropout
        )
    length = min(input_format.length or MAX_TOKENS, architecture.max_tokens)
    uses_prompts = config.model_type in TEXT_TO_TEXT
    adds_end_token = input_format.inputs == "ranking" and config.model_type == "gpt2"
    vocabulary_size = module.get_input_embeddings().weight.shape[0]
    item_tokenizer = ItemTokenizer(
        tokenizer, input_format, length, uses_prompts, adds_end_token, vocabulary_size
    )
    with checkpoint.translate_load_errors(source):
        _check_scoring(architecture, item_tokenizer)
    return LoadedModel(architecture, item_tokenizer, tokenizer, module.config, pooling)


def _choose_pooling(source: str, config: Any, requested: str) -> str:
    """Return how token vectors are pooled; `auto` follows from the network.

    Sentence encoders are made for the mean. A network that reads from left to right has seen
    everything only at the last token.
    """
    if requested in ("mean", "last"):
        return requested
    from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

    bidirectional = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    if config.is_encoder_decoder or getattr(config, "is_decoder", False) or not bidirectional:
        return "last"
    if requested == "auto":
        return "mean" if checkpoint.has_file(source, checkpoint.POOLING_CONFIG) else "first"
    return requested


def _check_scoring(architecture: Architecture, item_tokenizer: ItemTokenizer) -> None:
    """Score one item, so that a network that cannot is refused before a sweep begins."""
    import torch

    ((ids, segment_ids),) = item_tokenizer.encode((Item("", {}, ("a",), 0),))[0]
    net = architecture.build_scorer()
    weights = {name: weight[None] for name, weight in net.start(0).items()}
    table, rows = (
        Sequences.from_lists([[*ids]], [[*segment_ids]], "cpu"),
        torch.zeros((1, 1), dtype=torch.long),
    )
    with torch.no_grad():
        net.scores(weights, table, rows, len(ids), len(ids), False)
    item_tokenizer.by_text.clear()
    item_tokenizer.cut_texts.clear()


def _config_dropout(config: Any) -> float:
    """Return the dropout of the last layer, by any of the names that configurations use."""
    names = ("summary_first_dropout", "classifier_dropout", "hidden_dropout_prob", "dropout")
    values = (getattr(config, name, None) for name in names)
    return float(next((value for value in values if value is not None), 0.0))


def _pad_token_id(tokenizer: Any, config: Any) -> int:
    """Return a token for padding; it is masked, so any token will do."""
    candidates = (
        tokenizer.pad_token_id,
        getattr(config, "pad_token_id", None),
        tokenizer.eos_token_id,
    )
    return next((token_id for token_id in candidates if token_id is not None), 0)


def _add_special_tokens(tokenizer: Any, module: Any, inputs: str) -> None:
    """Add separator and end tokens to a tokenizer without them (GPT-2: Branco et al. 2021)."""
    if inputs == "ranking" and tokenizer.sep_token is None:
        import torch

        tokenizer.add_special_tokens({"sep_token": "[SEP]", "cls_token": "[CLS]"})
        with torch.random.fork_rng(devices=[]), checkpoint.silence_transformers():
            torch.manual_seed(0)
            module.resize_token_embeddings(len(tokenizer), mean_resizing=False)
