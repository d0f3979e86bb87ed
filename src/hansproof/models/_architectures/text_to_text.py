"""Networks that answer in words (T5), scored by the likelihood of each choice's answer.

A sequence consists of the prompt (segment 0) and an answer (segment 1). If an item has one choice,
the answer no follows (segment 2), and the score is the log-likelihood of yes minus that of no.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from ...training.packing import Sequences
from .encoder import Weights
from .transformers_module import ModuleArchitecture

IGNORED = -100


@dataclass(frozen=True, slots=True, eq=False)
class TextToText(ModuleArchitecture):
    """Scores each answer by its log-likelihood; it needs no new head."""

    likelihood = True

    @property
    def max_tokens(self) -> int:
        """The most tokens a sequence can have: relative positions set no limit, so the default."""
        return 512

    def start(self, seed: int) -> Weights:
        """Return the pretrained weights."""
        return self.pretrained_weights()

    def scores(
        self, weights: Weights, sequences: Sequences, rows: torch.Tensor, width: int, longest: int,
        training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """Return scores, (1, sequences)."""
        tokens, types = sequences.tokens[rows[0]], sequences.types[rows[0]]
        is_token = (
            torch.arange(tokens.shape[1], device=rows.device) < sequences.lengths[rows[0]][:, None]
        )
        prompt, prompt_mask = _select_tokens(tokens, is_token & (types == 0), self.pad)
        prompt_mask[:, 0] = True  # attention needs at least one token
        answer_scores = self._answer_likelihood(
            weights, prompt, prompt_mask, tokens, is_token & (types == 1), training
        )
        is_no = is_token & (types == 2)
        if bool(is_no.any()):
            no_scores = self._answer_likelihood(
                weights, prompt, prompt_mask, tokens, is_no, training
            )
            answer_scores = answer_scores - no_scores.where(is_no.any(1), 0.0)
        return answer_scores[None]

    def _answer_likelihood(
        self,
        weights: Weights,
        prompt: Any,
        prompt_mask: Any,
        tokens: Any,
        selected: Any,
        training: bool,
    ) -> torch.Tensor:
        answer, answer_mask = _select_tokens(tokens, selected, self.pad)
        labels = answer.where(answer_mask, IGNORED)
        inputs = {"input_ids": prompt, "attention_mask": prompt_mask.long(), "labels": labels}
        return label_likelihood(self.call_module(weights, inputs, training).logits, labels)


def label_likelihood(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Return the log-likelihood of each row of labels; ignored labels do not count."""
    losses = functional.cross_entropy(
        logits.float().transpose(1, 2), labels, reduction="none", ignore_index=IGNORED
    )
    return -losses.sum(1)


def _select_tokens(
    tokens: torch.Tensor, selected: torch.Tensor, pad: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the selected tokens, moved to the left, and their mask."""
    order = torch.argsort((~selected).long(), dim=1, stable=True)
    longest = max(1, int(selected.sum(1).max()))
    mask = selected.gather(1, order)[:, :longest]
    return tokens.gather(1, order)[:, :longest].where(mask, pad), mask
