"""Scores of choices from likelihoods: which pairs of texts to read, and how to combine them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from ..types import Item
from .formats import Pair, continuation_prompt

Pairs = tuple[Pair, ...]
ScoreBy = Literal["sum", "token", "byte", "pmi"]


class PairLikelihood(Protocol):
    """The likelihood of the second text of a pair."""

    @property
    def log(self) -> float: ...  # natural logarithm, summed over the tokens

    @property
    def tokens(self) -> int: ...


PairBuilder = Callable[[Item], list[Pairs]]
Combiner = Callable[[str, Sequence[PairLikelihood]], float]


def continuation_pairs(item: Item) -> list[Pairs]:
    """Return each choice as the continuation of its item."""
    return [(continuation_prompt(item, choice).pair,) for choice in item.choices]


def neutral_pairs(item: Item) -> list[Pairs]:
    """Return each choice as the continuation of its item, and of a prompt without the question."""
    choice_prompts = [continuation_prompt(item, choice) for choice in item.choices]
    return [(prompt.pair, prompt.neutral) for prompt in choice_prompts]


def log_difference(choice: str, likelihoods: Sequence[PairLikelihood]) -> float:
    """Return the first log-likelihood, minus the second if there is one."""
    return likelihoods[0].log - sum(other.log for other in likelihoods[1:])


def log_per_token(choice: str, likelihoods: Sequence[PairLikelihood]) -> float:
    """Return the mean log-likelihood of a token."""
    return likelihoods[0].log / max(likelihoods[0].tokens, 1)


def log_per_byte(choice: str, likelihoods: Sequence[PairLikelihood]) -> float:
    """Return the log-likelihood per byte of the choice."""
    return likelihoods[0].log / max(len(choice.strip().encode("utf-8", "replace")), 1)


# by name: a function that returns the pairs to score for each choice, and one that combines them
SCORINGS: dict[str, tuple[PairBuilder, Combiner]] = {
    "sum": (continuation_pairs, log_difference),
    "token": (continuation_pairs, log_per_token),
    "byte": (continuation_pairs, log_per_byte),
    "pmi": (neutral_pairs, log_difference),
}
