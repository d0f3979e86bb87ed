"""How likely each choice is after the question, according to a causal language model.

Nothing is trained. `sum`, `token` and `byte` score the log-likelihood of the choice as the prompt's
continuation: in total, per token, or per byte of the choice. `pmi` is the log-likelihood minus that
after a prompt without the question; under a view without fields both prompts are the same, so all
choices tie. `letters` lists the choices in the prompt and scores their letters, so the position of
a choice matters. An item with one choice (`/alone`) has no letters to compare: the prompt asks
whether it is right, and the score is the log-likelihood of yes minus that of no.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..errors import BadInput
from ..pretrained import checkpoint, devices
from ..prompts import formats
from ..prompts.formats import Pair
from ..prompts.likelihood_scores import SCORINGS, Pairs, continuation_pairs, log_difference
from ..types import FitInfo, Item, Items
from ._transformers.likelihood import Likelihood, load_scorer


class BlindLikelihood(NamedTuple):
    """The likelihood of a choice without a question."""

    log: float  # natural logarithm, summed over the tokens
    tokens: int
    cut: bool  # whether the choice was too long, and lost its beginning


@dataclass(frozen=True, slots=True)
class Lm:
    """Any causal language model, without training.

    An empty choice is certain: its log-likelihood is 0. Prompts that are too long for the model
    lose their beginning, and a warning says how many; so do choices that are too long by
    themselves.
    """

    source: str = ""  # a transformers folder or hub id, with safetensors
    score_by: Literal["sum", "token", "byte", "pmi", "letters"] = "sum"  # kind of score
    batch: int = 16  # batch size, in texts
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise BadInput("lm:batch", f"is {self.batch}, must be at least 1")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return one score per choice."""
        if not items:
            return []
        build_pairs, combine = _SCORINGS[self.score_by]
        item_pairs = [build_pairs(item) for item in items]
        all_pairs = (pair for row in item_pairs for choice_pairs in row for pair in choice_pairs)
        likelihoods = load_scorer(self.source, self.device).score_pairs(all_pairs, self.batch)
        self._warn_if_cut(
            likelihoods, "texts were too long, so the beginning of the prompt was cut off"
        )
        return [
            tuple(
                combine(choice, [likelihoods[pair] for pair in choice_pairs])
                for choice, choice_pairs in zip(item.choices, row, strict=True)
            )
            for item, row in zip(items, item_pairs, strict=True)
        ]

    def score_choices(
        self,
        choices: Iterable[str],
        on_batch: Callable[[Mapping[str, BlindLikelihood]], None] | None = None,
    ) -> dict[str, BlindLikelihood]:
        """Return the likelihood of each choice without a question.

        `on_batch` is called after each batch of the model, with the choices that it read.
        """
        choices_by_pair: dict[Pair, list[str]] = {}
        for choice in dict.fromkeys(choices):
            (pair,) = continuation_pairs(Item("", {}, (choice,), None))[0]
            choices_by_pair.setdefault(pair, []).append(choice)

        def by_choice(by_pair: Mapping[Pair, Likelihood]) -> dict[str, BlindLikelihood]:
            return {
                choice: BlindLikelihood(likelihood.log, likelihood.tokens, likelihood.cut)
                for pair, likelihood in by_pair.items()
                for choice in choices_by_pair[pair]
            }

        def report(by_pair: Mapping[Pair, Likelihood]) -> None:
            if on_batch is not None:
                on_batch(by_choice(by_pair))

        scorer = load_scorer(self.source, self.device)
        likelihoods = scorer.score_pairs(choices_by_pair, self.batch, report)
        self._warn_if_cut(
            likelihoods, "choices are longer than the model reads, so their beginning was cut off"
        )
        return by_choice(likelihoods)

    def _warn_if_cut(self, likelihoods: Mapping[Pair, Likelihood], message: str) -> None:
        n_cut = sum(likelihood.cut for likelihood in likelihoods.values())
        if n_cut:
            warnings.warn(f"{self.source}: {n_cut} of {len(likelihoods)} {message}", stacklevel=3)

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the model."""
        return {"fingerprint": checkpoint.fingerprint(self.source)}

    @property
    def fit_info(self) -> FitInfo:
        device = devices.describe_setting(self.device)
        return FitInfo(tokenizer="of the model", device=device)


def _letter_pairs(item: Item) -> list[Pairs]:
    if len(item.choices) == 1:
        return [formats.yes_no_pairs(item, item.choices[0])]
    return [(pair,) for pair in formats.letter_pairs(item)]


# by name: a function that returns the pairs to score for each choice, and one that combines them
_SCORINGS = {**SCORINGS, "letters": (_letter_pairs, log_difference)}
