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
from .module import Module

IGNORED = -100


@dataclass(frozen=True, slots=True, eq=False)
class TextToText(Module):
    """One log-likelihood for every answer; nothing is new."""

    likelihood = True

    @property
    def places(self) -> int:
        """Distances are all it knows of places: there is no limit but the usual."""
        return 512

    def start(self, seed: int) -> Weights:
        """The pretrained weights."""
        return self.own()

    def scores(
        self, weights: Weights, sequences: Sequences, rows: torch.Tensor, width: int, longest: int,
        training: bool,
    ) -> torch.Tensor:  # fmt: skip
        """(1, sequences)"""
        tokens, types = sequences.tokens[rows[0]], sequences.types[rows[0]]
        real = (
            torch.arange(tokens.shape[1], device=rows.device) < sequences.lengths[rows[0]][:, None]
        )
        prompt, there = _taken(tokens, real & (types == 0), self.pad)
        there[:, 0] = True  # of an empty sequence something must be seen
        said = self._likelihood(weights, prompt, there, tokens, real & (types == 1), training)
        other = real & (types == 2)
        if bool(other.any()):
            no = self._likelihood(weights, prompt, there, tokens, other, training)
            said = said - no.where(other.any(1), 0.0)
        return said[None]

    def _likelihood(
        self, weights: Weights, prompt: Any, there: Any, tokens: Any, which: Any, training: bool
    ) -> torch.Tensor:
        answer, real = _taken(tokens, which, self.pad)
        labels = answer.where(real, IGNORED)
        asked = {"input_ids": prompt, "attention_mask": there.long(), "labels": labels}
        return likelihood(self.called(weights, asked, training).logits, labels)


def likelihood(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """The logarithm of how likely each answer is; what is ignored has no part in it."""
    each = functional.cross_entropy(
        logits.float().transpose(1, 2), labels, reduction="none", ignore_index=IGNORED
    )
    return -each.sum(1)


def _taken(
    tokens: torch.Tensor, which: torch.Tensor, pad: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """The tokens of one part, moved to the left, and where there are any."""
    order = torch.argsort((~which).long(), dim=1, stable=True)
    most = max(1, int(which.sum(1).max()))
    there = which.gather(1, order)[:, :most]
    return tokens.gather(1, order)[:, :most].where(there, pad), there
