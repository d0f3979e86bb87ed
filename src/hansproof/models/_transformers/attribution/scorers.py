"""Fine-tuned networks as functions of embeddings: transformers modules in single precision."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from ....errors import ModelError
from ....pretrained.checkpoint import silence_transformers
from ..._architectures import heads
from ..._architectures.item_tokenizer import SPECIAL, SpannedSequence
from ..._architectures.padded import pool_tokens
from ..._architectures.text_to_text import IGNORED, TextToText, label_likelihood
from ..._architectures.transformers_module import ModuleArchitecture

if TYPE_CHECKING:
    from ..finetuned import FinetunedTransformer


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingBatch:
    """Sequences padded on the right."""

    ids: torch.Tensor  # (sequences, longest): the tokens that are embedded
    is_word: torch.Tensor  # whether a token represents text
    extra_inputs: tuple[torch.Tensor, ...]  # of scoring, besides the embeddings


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddingScorer:
    """A network with a ranking head."""

    module: Any
    head: dict[str, torch.Tensor]
    pooling: str
    pad_id: int
    device: torch.device

    def build_batch(self, sequences: Sequence[SpannedSequence]) -> EmbeddingBatch:
        """Return token ids, with attention mask and segment ids as extra inputs."""
        ids = self._pad_rows([sequence.tokens[0] for sequence in sequences], self.pad_id)
        attention_mask = self._pad_rows(
            [[1] * len(sequence.tokens[0]) for sequence in sequences], 0
        )
        types = self._pad_rows([sequence.tokens[1] for sequence in sequences], 0)
        return EmbeddingBatch(ids, self._word_mask(sequences), (attention_mask, types))

    def embed(self, ids: torch.Tensor) -> torch.Tensor:
        """Return word vectors, (sequences, longest, features)."""
        vectors: torch.Tensor = self.module.get_input_embeddings()(ids)
        return vectors.detach()

    def mask_words(self, x: torch.Tensor, is_word: torch.Tensor) -> torch.Tensor:
        """Replace the embeddings of words by padding; keep those of special tokens."""
        pad_vector = self.embed(torch.tensor([[self.pad_id]], device=self.device))
        return pad_vector.where(is_word[:, :, None], x)

    def scores(self, x: torch.Tensor, *extra_inputs: torch.Tensor) -> torch.Tensor:
        """Return one score per sequence."""
        attention_mask, types = extra_inputs
        inputs = {"inputs_embeds": x, "attention_mask": attention_mask}
        if getattr(self.module.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = types
        if self.module.config.is_encoder_decoder:  # its decoder reads the tokens shifted by one
            first = torch.full_like(
                attention_mask[:, :1], self.module.config.decoder_start_token_id
            )
            inputs["decoder_inputs_embeds"] = torch.cat([self.embed(first), x[:, :-1]], 1)
        hidden = self.module(**inputs).last_hidden_state
        vectors = pool_tokens(hidden, attention_mask.sum(1), attention_mask, self.pooling)
        return heads.score_pooled(self.head, vectors[None], self.pooling, 0.0)[0]

    def _word_mask(self, sequences: Sequence[SpannedSequence]) -> torch.Tensor:
        return self._pad_rows(
            [[span[0] != SPECIAL for span in sequence.spans] for sequence in sequences], 0
        ).bool()

    def _pad_rows(self, rows: Sequence[Sequence[int]], filler: int) -> torch.Tensor:
        longest = max(1, *map(len, rows))
        padded_rows = [[*row, *[filler] * (longest - len(row))] for row in rows]
        return torch.tensor(padded_rows, dtype=torch.long, device=self.device)


@dataclass(frozen=True, slots=True, eq=False)
class TextToTextScorer(EmbeddingScorer):
    """A network that answers in words: the prompt is embedded, the answers are scored."""

    def build_batch(self, sequences: Sequence[SpannedSequence]) -> EmbeddingBatch:
        segments = [
            [self._segment_tokens(sequence, kind) for sequence in sequences] for kind in (0, 1, 2)
        ]
        ids = self._pad_rows(segments[0], self.pad_id)
        attention_mask = self._pad_rows([[1] * len(segment) for segment in segments[0]], 0)
        answers = [self._pad_rows(segment, IGNORED) for segment in segments[1:]]
        return EmbeddingBatch(ids, self._word_mask(sequences), (attention_mask, *answers))

    def scores(self, x: torch.Tensor, *extra_inputs: torch.Tensor) -> torch.Tensor:
        attention_mask, yes_labels, no_labels = extra_inputs
        yes_scores = self._label_likelihood(x, attention_mask, yes_labels)
        return (
            yes_scores - self._label_likelihood(x, attention_mask, no_labels)
            if bool((no_labels != IGNORED).any())
            else yes_scores
        )

    def _label_likelihood(
        self, x: torch.Tensor, attention_mask: torch.Tensor, labels: torch.Tensor
    ) -> Any:
        outputs = self.module(inputs_embeds=x, attention_mask=attention_mask, labels=labels)
        return label_likelihood(outputs.logits, labels)

    @staticmethod
    def _segment_tokens(sequence: SpannedSequence, kind: int) -> list[int]:
        return [token for token, segment in zip(*sequence.tokens, strict=True) if segment == kind]


def build_scorer(fitted: FinetunedTransformer) -> EmbeddingScorer:
    """Return the network of a fitted model on its device; its weights need no gradients."""
    if fitted.weights is None:
        raise ModelError("training diverged, so there are no weights to take gradients of")
    architecture, device = fitted.base_model.architecture, fitted.torch_device
    module_state, head_state = architecture.split_state(
        {name: weight.cpu() for name, weight in fitted.weights.items()}
    )
    if isinstance(architecture, ModuleArchitecture):
        module, pad_id, head = copy.deepcopy(architecture.module), architecture.pad, head_state
        module.load_state_dict(module_state, strict=False)  # tied weights are named only once
    else:
        module = _build_module(fitted.base_model.config)
        pad_id = int(fitted.base_model.tokenizer.pad_token_id or 0)
        head = {n: w for n, w in fitted.weights.items() if n.startswith(("head.", "pooler."))}
        module.load_state_dict(module_state, strict=True)
    module.set_attn_implementation("eager")  # its gradients are deterministic
    module = module.to(device).eval().requires_grad_(False)
    lane_weights = {name: weight[None].to(device) for name, weight in head.items()}
    scorer_class = TextToTextScorer if isinstance(architecture, TextToText) else EmbeddingScorer
    return scorer_class(module, lane_weights, fitted.base_model.pooling, pad_id, device)


def _build_module(config: Any) -> Any:
    """Return a module of a configuration, without initialising its weights."""
    from transformers import AutoModel

    with silence_transformers(), _skip_weight_init():
        return AutoModel.from_config(copy.deepcopy(config), dtype=torch.float32)


def _skip_weight_init() -> Any:
    """Return a context in which no weights are initialised, if transformers supports it."""
    try:
        from transformers.initialization import no_init_weights
    except ImportError:
        return nullcontext()
    return no_init_weights()
