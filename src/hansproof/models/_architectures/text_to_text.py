"""A network that answers in words (T5): how likely it finds the answer of each choice.

A sequence is the prompt (segment 0) and an answer (segment 1); of a question with one choice also
the answer no (segment 2), and the score is by how much it finds yes the likelier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from ...training.packing import Sequences
from .encoder import Weights
from .module import ModuleArchitecture

IGNORED = -100


@dataclass(frozen=True, slots=True, eq=False)
class TextToText(ModuleArchitecture):
    """One log-likelihood for every answer; nothing is new."""

    likelihood = True

    @property
    def max_tokens(self) -> int:
        """Distances are all it knows of places: there is no limit but the usual."""
        return 512

    def start(self, seed: int) -> Weights:
        """The pretrained weights."""
        return self.pretrained_weights()

    def scores(
        self, weights: Weights, sequences: Sequences, rows: torch.Tensor, width: int, longest: int,
        training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """(1, sequences)"""
        tokens, types = sequences.tokens[rows[0]], sequences.types[rows[0]]
        is_token = (
            torch.arange(tokens.shape[1], device=rows.device) < sequences.lengths[rows[0]][:, None]
        )
        prompt, prompt_mask = _select_tokens(tokens, is_token & (types == 0), self.pad)
        prompt_mask[:, 0] = True  # of an empty sequence something must be seen
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
    """The logarithm of how likely each answer is; what is ignored has no part in it."""
    losses = functional.cross_entropy(
        logits.float().transpose(1, 2), labels, reduction="none", ignore_index=IGNORED
    )
    return -losses.sum(1)


def _select_tokens(
    tokens: torch.Tensor, selected: torch.Tensor, pad: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """The tokens of one part, moved to the left, and where there are any."""
    order = torch.argsort((~selected).long(), dim=1, stable=True)
    longest = max(1, int(selected.sum(1).max()))
    mask = selected.gather(1, order)[:, :longest]
    return tokens.gather(1, order)[:, :longest].where(mask, pad), mask
