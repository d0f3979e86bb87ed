"""The interface of all architectures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ...training.step import Network
from .encoder import Weights

TokenLists = list[list[int]]
Restore = Callable[[Weights], Weights]


class Architecture(Protocol):
    """A checkpoint as the training engine uses it."""

    @property
    def max_tokens(self) -> int:
        """The most tokens a sequence can have."""

    def trim_vocabulary(self, tokens: TokenLists) -> tuple[Network, TokenLists, Restore]:
        """Return a network for the tokens that occur.

        With it come the sequences, renumbered for that network, and a function that turns its
        trained weights into those of the full vocabulary.
        """

    def build_scorer(self) -> Network:
        """Return a network with the full vocabulary."""

    def split_state(self, weights: Weights) -> tuple[Weights, Weights]:
        """Split weights into those that transformers would save, and the rest (the head)."""
